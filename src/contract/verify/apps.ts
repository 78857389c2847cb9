import type { VerifyCall } from './client.ts'
import type { Session } from './session.ts'
import { Inconclusive, member, type ServerReply } from './wire.ts'

export interface MadeResource {
  readonly id: string
  readonly path: string
  readonly reply: ServerReply
}

export async function post(session: Session, path: string, body: unknown, call: VerifyCall = {}): Promise<ServerReply> {
  const reply = await session.client.call('apps', 'POST', path, { ...call, body })
  const id = member(reply.json, 'id')
  if (reply.isSuccess && typeof id === 'string') {
    const made = `${path}/${encodeURIComponent(id)}`
    session.cleanUpLater(made, () => session.client.call('apps', 'DELETE', made, { key: call.key, cleansUp: true }))
  }
  return reply
}

export async function make(session: Session, path: string, body: unknown, call?: VerifyCall): Promise<MadeResource> {
  const reply = await post(session, path, body, call)
  const id = member(reply.json, 'id')
  if (!reply.isSuccess || typeof id !== 'string') throw new Inconclusive(`nothing can be created: ${reply}`)
  return { id, path: `${path}/${encodeURIComponent(id)}`, reply }
}

export function theApp(session: Session): Promise<MadeResource> {
  return session.once('app', () => make(session, '/apps', { name: session.newName() }))
}

export function fetchApps(session: Session, call: VerifyCall = {}): Promise<ServerReply> {
  return session.client.call('apps', 'GET', '/apps', call)
}

export function itemsOf({ json }: ServerReply): readonly unknown[] | undefined {
  const data = Array.isArray(json) ? json : member(json, 'data')
  return Array.isArray(data) ? data : undefined
}

export function codeOf({ json }: ServerReply): string | undefined {
  const code = member(member(json, 'error'), 'code')
  return typeof code === 'string' ? code : undefined
}

export function fetchNoApp({ client }: Session): Promise<ServerReply> {
  return client.call('apps', 'GET', '/apps/app_greenhouseverify')
}
