import { ApiError } from '../core/contract/errors.ts'
import { headerOf, type RequestHead, type SocketSender } from '../core/http/request.ts'
import type { Reply } from '../core/http/reply.ts'
import type { RejectedRequest } from '../core/journal/log-events.ts'
import { finishOutside } from '../core/pipeline/finish-reply.ts'
import { splitWorld } from '../core/http/address.ts'
import { findArea } from '../core/pipeline/router.ts'
import type { Service } from '../core/pipeline/service.ts'
import { quote } from '../core/text/messages.ts'

/**
 * Checks the origin of a request on a socket, before its body is read. Returns the sender, or the
 * reply that refuses it, in the area's error shape. @param isOwnHost whether the Host header names
 * this server; `undefined` if it was not checked.
 */
export function admit(
  service: Service,
  request: RequestHead,
  isOwnHost: boolean | undefined,
): SocketSender | Reply {
  const reject = (code: string, message: string): Reply => {
    const { area } = findArea(service.areas, splitWorld(request.path).path)
    const error = new ApiError('insufficient_permissions', service.redact(message))
    // The request id is not from a world, because the request reaches none.
    const reply = area.toRejectionReply(error, service.random.id('req'))
    service.notify({
      event: 'refused',
      code,
      request,
      status: reply.status,
      reason: message,
    })
    return finishOutside(service, request, reply)
  }
  if (isOwnHost === false)
    return reject('foreign_host', describeForeignHost(headerOf(request, 'host') ?? ''))
  const sender = service.cors.senderOf(request, isOwnHost === true)
  if (sender !== 'crossOrigin') return sender
  return reject('foreign_page', describeForeignPage(headerOf(request, 'origin')))
}

function describeForeignHost(host: string): string {
  const name = host.replace(/:\d*$/, '')
  const known = /^[\w.-]{1,100}$/.test(name) ? name : 'NAME'
  return `Blocked: the host ${quote(name)} is not a name of this server. Allow it with --allow-host ${known}, or serve(greenhouse, { allowHosts: ['${known}'] }) in code.`
}

function describeForeignPage(origin: string | undefined): string {
  if (origin === undefined)
    return "Blocked: a page of another site sent this request without an Origin header. Allow the page's origin with --cors ORIGIN, or cors: ['ORIGIN'] in code, and call with fetch, which sends the header."
  const known = /^https?:\/\/[\w.:[\]-]{1,100}$/i.test(origin) ? origin : 'ORIGIN'
  return `Blocked: a page of the origin ${quote(origin)} sent this request. Allow the origin with --cors ${known}, or cors: ['${known}'] in code: that covers cookies and access to a private network, too.`
}

export type ReportRequest = (rejected: Omit<RejectedRequest, 'event'>) => Record<string, string>

/** Returns what logs a request that a host refused, and the headers that let its page read why. */
export function reporterOf({ notify, cors }: Service): ReportRequest {
  return (rejected) => {
    notify({
      event: 'refused',
      ...rejected,
    })
    const headers = {}
    cors.addHeaders(rejected.request, headers)
    return headers
  }
}
