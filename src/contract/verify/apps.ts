import type { VerifyCall } from './client.ts'
import type { Session } from './session.ts'
import { assertSeen, Inconclusive, mayBePage, member, type ServerReply } from './wire.ts'

export interface MadeResource {
  readonly id: string
  readonly path: string
  readonly reply: ServerReply
}

const maxPages = 20

export class Apps {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async post(path: string, body: unknown, call: VerifyCall = {}): Promise<ServerReply> {
    const reply = await this.#session.call('POST', path, { ...call, body })
    const id = member(reply.json, 'id')
    if (reply.isSuccess && typeof id === 'string') {
      const made = `${path}/${encodeURIComponent(id)}`
      const removal = { key: call.key, cleansUp: true }
      this.#session.cleanUpLater(made, () => this.#session.call('DELETE', made, removal))
    }
    return reply
  }

  /** Sends an app that is not the first one: a server that takes no app at all proves nothing. */
  async postNext(body: unknown, call?: VerifyCall): Promise<ServerReply> {
    await this.first()
    return this.post('/apps', body, call)
  }

  async make(path: string, body: unknown, call?: VerifyCall): Promise<MadeResource> {
    const reply = await this.post(path, body, call)
    const id = member(reply.json, 'id')
    if (!reply.isSuccess || typeof id !== 'string') throw new Inconclusive(`nothing can be created: ${reply}`)
    return { id, path: `${path}/${encodeURIComponent(id)}`, reply }
  }

  makeApp(call?: VerifyCall): Promise<MadeResource> {
    return this.make('/apps', { name: this.#session.newName() }, call)
  }

  first(): Promise<MadeResource> {
    return this.#session.once('app', () => this.makeApp())
  }

  fetch(call: VerifyCall = {}): Promise<ServerReply> {
    return this.#session.call('GET', '/apps', call)
  }

  fetchNone(): Promise<ServerReply> {
    return this.#session.call('GET', '/apps/app_greenhouseverify')
  }

  /** Returns the ids of all apps, the reply that completed them, and whether there may be more. @throws Inconclusive if it is not a list. */
  async all(call: VerifyCall = {}) {
    const ids: unknown[] = []
    let query = 'limit=100'
    for (let page = 0; ; page++) {
      const reply = await this.fetch({ ...call, query })
      assertSeen(reply.isSuccess && reply.items !== undefined, String(reply))
      ids.push(...reply.items.map((item) => member(item, 'id')))
      const cursor = member(reply.json, 'next_cursor')
      if (typeof cursor !== 'string') return { ids, reply, mayHaveMore: page === 0 && mayBePage(ids.length) }
      if (page === maxPages) return { ids, reply, mayHaveMore: true }
      query = `limit=100&cursor=${encodeURIComponent(cursor)}`
    }
  }
}
