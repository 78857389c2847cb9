import type { RawReply, ProbeRequest } from '../../src/contract/verify/wire.ts'

export interface Kept {
  readonly id: bigint
  readonly name: string
  readonly tag?: string | undefined
  readonly owner: string
  /** When it was created, and when it was deleted. */
  readonly since: number
  until: number
}

export interface Read {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly text: string
  readonly authorization: string | undefined
  readonly owner: string | undefined
}

const minute = 60_000

/**
 * A plant store and a list of apps, written from the reference alone. A mistake replaces one of its
 * methods.
 */
export class Store {
  now = Date.UTC(2026, 2, 1, 12)
  plants: Kept[] = []
  /** The most plants of its list, and its lag. */
  most = Infinity
  lag = 0
  #spent = new Map<string, number>()

  ownerOf(authorization: string | undefined): string | undefined {
    return { 'Bearer own': 'own', 'Bearer other': 'other' }[authorization ?? '']
  }

  answer({ method, url, headers, body }: ProbeRequest): RawReply {
    const { pathname, searchParams } = new URL(url)
    const authorization = headers['Authorization']
    const read: Read = {
      method,
      path: pathname,
      query: searchParams,
      text: typeof body === 'string' ? body : '',
      authorization,
      owner: this.ownerOf(authorization),
    }
    return pathname.startsWith('/v1/') ? this.counted(read, this.app(read)) : this.plant(read)
  }

  plant(read: Read): RawReply {
    const { method, path, owner } = read
    if (owner === undefined) return this.refuse(401)
    if (path === '/plants' && method === 'GET') return this.list(owner, read.query)
    if (path === '/plants' && method === 'POST') return this.create(owner, read.text)
    if (path.startsWith('/plants/') && method === 'DELETE')
      return this.remove(owner, path.slice('/plants/'.length))
    return this.refuse(404)
  }

  list(owner: string, query: URLSearchParams): RawReply {
    const cap = query.get('limit') ?? String(Math.min(this.most, 2 ** 31 - 1))
    if (!/^\d+$/.test(cap) || Number(cap) > this.most) return this.refuse(400)
    return this.json(200, this.seenBy(owner).slice(0, Number(cap)).map(this.show))
  }

  /** The plants of a caller as the list has them by now. */
  seenBy(owner: string): Kept[] {
    const at = this.now - this.lag
    return this.plants.filter(
      (plant) => plant.owner === owner && plant.since <= at && plant.until > at,
    )
  }

  create(owner: string, text: string): RawReply {
    const sent = this.read(text)
    if (sent === undefined) return this.refuse(400)
    this.keep(owner, sent)
    return this.json(200, this.show(sent))
  }

  keep(owner: string, { id, name, tag }: Pick<Kept, 'id' | 'name' | 'tag'>): void {
    this.plants.push({ id, name, tag, owner, since: this.now, until: Infinity })
  }

  read(text: string): Pick<Kept, 'id' | 'name' | 'tag'> | undefined {
    const sent = parse(text)
    const [, id] = /"id": ?(-?\d+)[,}]/.exec(text) ?? []
    if (sent === undefined || id === undefined || typeof sent['id'] !== 'number') return undefined
    const { name, tag } = sent
    if (typeof name !== 'string' || (tag !== undefined && typeof tag !== 'string')) return undefined
    return BigInt(id) === BigInt.asIntN(64, BigInt(id)) ? { id: BigInt(id), name, tag } : undefined
  }

  remove(owner: string, id: string): RawReply {
    const found = this.plants.find(
      (plant) => this.isMeant(plant, id) && plant.owner === owner && !this.isGone(plant),
    )
    if (!found) return this.refuse(404)
    found.until = this.now
    return { status: 204, headers: {}, text: '' }
  }

  isGone({ until }: Kept): boolean {
    return until <= this.now
  }

  isMeant(plant: Kept, id: string): boolean {
    return String(plant.id) === id
  }

  show({ name, tag }: Pick<Kept, 'name' | 'tag'>): unknown {
    return { name, ...(tag !== undefined && { tag }) }
  }

  refuse(status: number): RawReply {
    return this.json(status, { error: status, message: 'That does not work.' })
  }

  app({ method, path, owner }: Read): RawReply {
    if (owner === undefined) return this.refuseApp(401, 'invalid_api_key')
    return path === '/v1/apps' && method === 'GET'
      ? this.json(200, [{ id: `app_of_${owner}`, name: 'Shop' }])
      : this.refuseApp(404, 'not_found')
  }

  refuseApp(status: number, code: string): RawReply {
    return this.json(status, {
      error: { code, message: 'That does not work.', request_id: 'req_17' },
    })
  }

  /** Adds the caller's quota to a reply; an unknown caller has the whole Free plan. */
  counted({ owner }: Read, reply: RawReply): RawReply {
    const window = `${owner} ${Math.floor(this.now / minute)}`
    const spent = owner === undefined ? 0 : (this.#spent.get(window) ?? 0) + 1
    this.#spent.set(window, spent)
    const limit = owner === undefined ? 60 : 600
    return {
      ...reply,
      headers: {
        ...reply.headers,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(limit - spent),
        'x-ratelimit-reset': String((Math.floor(this.now / minute) + 1) * 60),
      },
    }
  }

  json(status: number, value: unknown): RawReply {
    return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(value) }
  }
}

/** A JSON object; `undefined` of anything else. */
export function parse(text: string): Record<string, any> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
