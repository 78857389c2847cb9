import type { Session } from './session.ts'
import { NoReply } from './finding.ts'
import type { AreaName } from '../../areas/event-types.ts'
import { isSuccess, mediaType, type ServerReply } from './wire.ts'

export class TargetUnreachableError extends Error {
  override name = 'TargetUnreachableError'
}

const flags = { plants: '--target-plants', apps: '--target-apps' } as const

export async function checkReachable(session: Session): Promise<void> {
  for (const area of ['plants', 'apps'] as const) {
    const target = session.options.targets[area]
    if (target === undefined) continue
    let reply: ServerReply
    try {
      reply = await session.client.call(area, 'GET', `/${area}`)
    } catch (error) {
      if (error instanceof NoReply) throw new TargetUnreachableError(`Failed to reach ${flags[area]}: ${error.message}`)
      throw error
    }
    const wrong = findProblem(area, target, reply)
    if (wrong !== undefined) throw new TargetUnreachableError(`Failed to use ${flags[area]}: ${session.redact(wrong)}`)
  }
}

function findProblem(area: AreaName, target: string, reply: ServerReply): string | undefined {
  const { status, headers, text } = reply
  const request = `GET ${target}/${area}`
  if (status >= 300 && status < 400)
    return `${request} redirects to ${headers['location'] ?? 'another address'} (${status}). Redirects are not followed: give the final address.`
  if ((mediaType(reply) === 'text/html' && reply.json === undefined) || /^\s*<(!doctype|html)/i.test(text))
    return `${request} answered ${status} with a page of HTML${titleOf(text)}. Is a proxy, a login or a web site in front of the API?`
  if (status === 401)
    return `${request} answered 401: the server does not take the key. Give one that it knows with --key.`
  if (status === 403) return `${request} answered 403: the key may not read ${area}. Give one that may with --key.`
  if (status === 404) return `${request} answered 404. Is the address right? Requests go to /${area} below it.`
  if (!isSuccess(reply) && status < 500)
    return `${request} answered ${status}. Is it the address of ${area === 'plants' ? 'a plant store' : 'app management'}?`
  return undefined
}

function titleOf(text: string): string {
  const start = text.toLowerCase().indexOf('<title>')
  const end = start < 0 ? -1 : text.toLowerCase().indexOf('</title>', start)
  const title =
    end < 0
      ? ''
      : text
          .slice(start + '<title>'.length, end)
          .trim()
          .slice(0, 80)
  return title === '' ? '' : ` ("${title}")`
}
