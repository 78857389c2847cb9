import type { RecordKey, Records } from '../../catalogue/records.ts'
import { rejectSecondArgument } from '../../core/contract/options.ts'
import {
  sortAndSlice,
  type FindOptions,
  type Matches,
  toPredicate,
} from '../../core/store/record-query.ts'
import { ifKnown, type WorldCalls } from './world-calls.ts'
import type { Remote } from './remote.ts'
import { type Fields, mapFields } from '../../core/text/values.ts'

type RecordRoute = 'PATCH /worlds/{world}/records/{collection}/{id}'

/**
 * The records of a collection. `find` and `count` load all of them, and select as in process: a
 * condition may be a function.
 */
export class ClientRecords implements Remote<Records<Fields>> {
  readonly #calls: WorldCalls
  readonly #name: string
  readonly #fields: readonly string[]

  constructor(calls: WorldCalls, { name, schema }: WorldCalls['facts']['collections'][number]) {
    this.#calls = calls
    this.#name = name
    this.#fields = Object.keys(schema['properties'] ?? {})
  }

  async count(matches?: Matches<Fields>): Promise<number> {
    if (matches !== undefined) return (await this.find(matches)).length
    return (await this.#page({ limit: 0 })).total
  }

  get(key: RecordKey): Promise<Fields | undefined> {
    return ifKnown('record', this.#one('GET', key), undefined)
  }

  async all(): Promise<Fields[]> {
    const { data, total } = await this.#page()
    const all = [...data]
    while (all.length < total) {
      const next = await this.#page({ offset: all.length })
      if (next.data.length === 0) break
      all.push(...next.data)
    }
    return all as Fields[]
  }

  async find(matches: Matches<Fields>, options: FindOptions<Fields> = {}): Promise<Fields[]> {
    const accepts = toPredicate(matches, this.#name, this.#fields)
    return sortAndSlice((await this.all()).filter(accepts), options, this.#name, this.#fields)
  }

  async create(values: Fields): Promise<Fields> {
    rejectSecondArgument('create', arguments, 'Call it once for each record.')
    const place = { collection: this.#name }
    const route = 'POST /worlds/{world}/records/{collection}'
    return (await this.#calls.call(route, place, { body: values })) as Fields
  }

  async update(key: RecordKey, changes: Partial<Fields>): Promise<Fields | undefined> {
    // JSON has no `undefined`: there, `null` removes a field.
    const body = mapFields(changes ?? {}, (value) => value ?? null)
    return ifKnown('record', this.#one('PATCH', key, {}, body), undefined)
  }

  delete(key: RecordKey): Promise<boolean> {
    const one = this.#one('DELETE', key, { keep: true })
    const deleted = one.then(() => true)
    return ifKnown('record', deleted, false)
  }

  async replace(records: readonly Fields[]): Promise<void> {
    await this.#calls.change('PUT /worlds/{world}/records/{collection}', {
      collection: this.#name,
      data: [...records],
    })
  }

  #page(query?: { readonly limit?: number; readonly offset?: number }) {
    return this.#calls.do('GET /worlds/{world}/records/{collection}', {
      collection: this.#name,
      ...query,
    })
  }

  async #one(
    method: 'GET' | 'PATCH' | 'DELETE',
    key: RecordKey,
    fields: Fields = {},
    body?: object,
  ): Promise<Fields> {
    // A key is known by its fingerprint.
    const id = this.#name === 'keys' ? await toFingerprintInPage(String(key)) : String(key)
    const route = `${method} /worlds/{world}/records/{collection}/{id}` as RecordRoute
    const place = {
      ...fields,
      collection: this.#name,
      id,
    }
    return (await this.#calls.do(route, place, { body })) as Fields
  }
}

/** Does the same as `toFingerprint`, with the digest of the platform. */
export async function toFingerprintInPage(secret: string): Promise<string> {
  if (/^fp_[\da-f]{12}$/.test(secret)) return secret
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  const bytes = Array.from(new Uint8Array(digest).subarray(0, 6), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return `fp_${bytes.join('')}`
}
