import type { Call } from './client.ts'
import { type Session } from './session.ts'
import { Unseen, tell } from './verdict.ts'
import { isSuccess, mayBePage, member, type Reply } from './wire.ts'

/** Something of Area B that the run has made. */
export interface MadeResource {
  readonly id: string
  /** Where it is, below the base. */
  readonly path: string
  readonly reply: Reply
}

/** Creates something of Area B; what was made is taken away at the end. */
export async function post(session: Session, path: string, body: unknown, call: Call = {}): Promise<Reply> {
  const reply = await session.client.call('apps', 'POST', path, { ...call, body })
  const id = member(reply.json, 'id')
  if (isSuccess(reply) && typeof id === 'string') {
    const made = `${path}/${encodeURIComponent(id)}`
    session.remember(made, () => session.client.call('apps', 'DELETE', made, { key: call.key, cleansUp: true }))
  }
  return reply
}

/** The same where it must work. @throws Unseen */
export async function make(session: Session, path: string, body: unknown, call?: Call): Promise<MadeResource> {
  const reply = await post(session, path, body, call)
  const id = member(reply.json, 'id')
  if (!isSuccess(reply) || typeof id !== 'string') throw new Unseen(`nothing can be created: ${tell(reply)}`)
  return { id, path: `${path}/${encodeURIComponent(id)}`, reply }
}

/** An app that probes may do with as they like. @throws Unseen */
export function theApp(session: Session): Promise<MadeResource> {
  return session.once('app', () => make(session, '/apps', { name: session.newName() }))
}

/** The list of apps. */
export function listApps(session: Session, call: Call = {}): Promise<Reply> {
  return session.client.call('apps', 'GET', '/apps', call)
}

/** What a list of Area B holds, in either shape; `undefined` when it is none. */
export function itemsOf({ json }: Reply): readonly unknown[] | undefined {
  const data = Array.isArray(json) ? json : member(json, 'data')
  return Array.isArray(data) ? data : undefined
}

/** `error.code` of an error. */
export function codeOf({ json }: Reply): unknown {
  return member(member(json, 'error'), 'code')
}

/** How many pages of a list are read at most. */
const mostPages = 20

/** The ids of all apps, page by page, the reply with the last of them, and whether there may be more. */
export interface ListedApps {
  readonly ids: readonly unknown[]
  readonly reply: Reply
  readonly mayHaveMore: boolean
}

/** Lists all apps. @throws Unseen when that is no list. */
export async function listAllApps(session: Session): Promise<ListedApps> {
  const ids: unknown[] = []
  let query = 'limit=100'
  for (let page = 0; ; page++) {
    const reply = await listApps(session, { query })
    const items = itemsOf(reply)
    if (!isSuccess(reply) || items === undefined) throw new Unseen(tell(reply))
    ids.push(...items.map((item) => member(item, 'id')))
    const cursor = member(reply.json, 'next_cursor')
    if (typeof cursor !== 'string') return { ids, reply, mayHaveMore: page === 0 && mayBePage(ids.length) }
    if (page === mostPages) return { ids, reply, mayHaveMore: true }
    query = `limit=100&cursor=${encodeURIComponent(cursor)}`
  }
}
