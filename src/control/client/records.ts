import type { Records, RecordKey } from '../../api/records.ts'
import { arrange, type FindOptions, type Matches, toPredicate } from '../../core/store/record-query.ts'
import { rejectSecond } from '../../core/contract/options.ts'
import type { Answers, RouteName } from '../actions/index.ts'
import type { Remote } from './remote.ts'
import { isUnknown, type WorldCalls } from './world-calls.ts'

type Fields = Readonly<Record<string, unknown>>

/** The records of a collection. `find` and `count` load all of them, and select as in process: a condition may be a function. */
export class ClientRecords implements Remote<Records<Fields>> {
  readonly #calls: WorldCalls
  readonly #name: string
  readonly #fields: readonly string[]

  constructor(calls: WorldCalls, { name, schema }: WorldCalls['facts']['collections'][number]) {
    this.#calls = calls
    this.#name = name
    this.#fields = Object.keys((schema['properties'] ?? {}) as object)
  }

  async count(matches?: Matches<Fields>): Promise<number> {
    if (matches !== undefined) return (await this.find(matches)).length
    const path = { collection: this.#name }
    const { total } = await this.#calls.read('GET /worlds/{world}/records/{collection}', { path, query: { limit: 0 } })
    return total!
  }

  get(key: RecordKey): Promise<Fields | undefined> {
    return this.#one('GET /worlds/{world}/records/{collection}/{id}', key)
  }

  async all(): Promise<Fields[]> {
    const path = { collection: this.#name }
    const { data } = await this.#calls.read('GET /worlds/{world}/records/{collection}', { path })
    return data as Fields[]
  }

  async find(matches: Matches<Fields>, options: FindOptions<Fields> = {}): Promise<Fields[]> {
    const accepts = toPredicate(matches, this.#name, this.#fields)
    return arrange((await this.all()).filter(accepts), options, this.#name, this.#fields)
  }

  async create(values: Fields): Promise<Fields> {
    rejectSecond('create', arguments, 'Call it once for each record.')
    const path = { collection: this.#name }
    const record = await this.#calls.change('POST /worlds/{world}/records/{collection}', { path, body: values })
    return record as Fields
  }

  update(key: RecordKey, changes: Partial<Fields>): Promise<Fields | undefined> {
    // JSON has no `undefined`: there, `null` removes a field.
    const body = Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value ?? null]))
    return this.#one('PATCH /worlds/{world}/records/{collection}/{id}', key, body)
  }

  async delete(key: RecordKey): Promise<boolean> {
    const deleted = await this.#ifKnown('DELETE /worlds/{world}/records/{collection}/{id}', key, {
      query: { keep: 'true' },
    })
    return deleted !== unknown
  }

  async replace(records: readonly Fields[]): Promise<void> {
    const path = { collection: this.#name }
    await this.#calls.change('PUT /worlds/{world}/records/{collection}', { path, body: { data: records } })
  }

  async #one(route: RouteName, key: RecordKey, body?: object): Promise<Fields | undefined> {
    const record = await this.#ifKnown(route, key, { body })
    return record === unknown ? undefined : (record as Fields)
  }

  async #ifKnown(
    route: RouteName,
    key: RecordKey,
    options: { body?: object | undefined; query?: Readonly<Record<string, string>> },
  ): Promise<Answers[RouteName] | typeof unknown> {
    // A key is known by its fingerprint.
    const id = this.#name === 'keys' ? await toFingerprintInPage(String(key)) : String(key)
    const path = { collection: this.#name, id }
    try {
      return await this.#calls.read(route, { path, ...options })
    } catch (error) {
      if (isUnknown('record', error)) return unknown
      throw error
    }
  }
}

const unknown = Symbol('unknown')

/** As `toFingerprint`, but with the digest of the platform. */
async function toFingerprintInPage(secret: string): Promise<string> {
  if (/^fp_[\da-f]{12}$/.test(secret)) return secret
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  const bytes = Array.from(new Uint8Array(digest).subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0'))
  return `fp_${bytes.join('')}`
}
