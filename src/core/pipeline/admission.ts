import { splitWorld } from './world-address.ts'
import { addDateOutside } from './date-header.ts'
import { finish } from './dispatch.ts'
import { ApiError } from '../definitions/errors.ts'
import { quote } from '../definitions/quote.ts'
import type { Reply } from '../http/reply.ts'
import { headerOf, type RequestHead, type SocketSender } from '../http/request.ts'
import { findArea, type Service } from './service.ts'

/**
 * Decides whether a request from a socket may go on, before any world is used or created: any page in a browser may
 * have sent it. @param isOwnHost whether the Host header names this server; `undefined` if it was not checked. @returns
 * the sender, or the reply that refuses the request.
 */
export function admit(service: Service, request: RequestHead, isOwnHost: boolean | undefined): SocketSender | Reply {
  if (isOwnHost === false) return refuse(service, request, 'foreign_host', foreignHost(headerOf(request, 'host') ?? ''))
  const sender = service.cors.senderOf(request, isOwnHost === true)
  if (sender !== 'stranger') return sender
  return refuse(service, request, 'foreign_page', foreignPage(headerOf(request, 'origin')))
}

/** Refuses in the area's error shape. The request id is not from a world, because the request reaches none. */
function refuse(service: Service, request: RequestHead, code: string, message: string): Reply {
  const { area } = findArea(service, splitWorld(request.path).path)
  const error = new ApiError('insufficient_permissions', service.redact(message))
  const reply = area.toRefusal(error, service.random.id('req'))
  service.notify({ event: 'refused', code, request, status: reply.status, reason: message })
  return finish(service, request, addDateOutside(service, reply))
}

function foreignHost(host: string): string {
  const name = host.replace(/:\d*$/, '')
  const known = /^[\w.-]{1,100}$/.test(name) ? name : 'NAME'
  return `Blocked: the host ${quote(name)} is not a name of this server. Allow it with --allow-host ${known}, or serve(greenhouse, { allowHosts: ['${known}'] }) in code.`
}

function foreignPage(origin: string | undefined): string {
  if (origin === undefined)
    return "Blocked: a page of another site sent this request without an Origin header. Allow the page's origin with --cors ORIGIN, or cors: ['ORIGIN'] in code, and call with fetch, which sends the header."
  const known = /^https?:\/\/[\w.:[\]-]{1,100}$/i.test(origin) ? origin : 'ORIGIN'
  return `Blocked: a page of the origin ${quote(origin)} sent this request. Allow the origin with --cors ${known}, or cors: ['${known}'] in code: that covers cookies and access to a private network, too.`
}
