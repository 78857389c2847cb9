import { itemsOf, type Fields } from '../../core/text/values.ts'
import type { AnyCollection } from '../../core/store/collection.ts'
import { cached } from '../../core/contract/cache.ts'
import { isObject } from '../../core/contract/options.ts'
import { parseJsonOr, toJson } from '../../core/http/json.ts'
import { toText } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { toShape } from '../../core/store/validation-message.ts'
import { accountOfKey } from '../../scenarios/effects/recorded.ts'
import { acceptsNull, formOf } from '../../fixtures/forms.ts'

/**
 * Collections whose records a reply does not show as fixtures write them. A recording makes
 * accounts and keys itself.
 */
const notRecorded = new Set(['accounts', 'keys', 'plans'])

/** The records that replies showed before the first change of their collection. */
export class FirstRecords {
  readonly #definitions: Readonly<Record<string, AnyCollection>>
  /** The records by collection and id. */
  readonly #records = new Map<string, Map<string, Fields>>()
  readonly #changed = new Set<string>()
  readonly #owners = new Map<string, string>()
  /** Why records are not in the fixtures, by collection. */
  readonly leftOut = new Map<string, string>()

  constructor(definitions: Readonly<Record<string, AnyCollection>>) {
    this.#definitions = definitions
  }

  get count(): number {
    let count = 0
    for (const records of this.#records.values()) count += records.size
    return count
  }

  /**
   * Takes the records of a reply. @param key the name of the key. Returns whether there are new
   * ones.
   */
  add(
    exchange: Exchange,
    {
      status,
      body,
    }: {
      status: number
      body: Uint8Array
    },
    key: string | undefined,
  ): boolean {
    const { operation, path } = exchange
    if (!operation || key === undefined || status >= 300) return false
    const name = this.#collectionOf(operation)
    if (name === undefined) return false
    if (operation.method !== 'GET') {
      this.#changed.add(name)
      return false
    }
    if (notRecorded.has(name) || this.#changed.has(name)) return false
    const json = parseJsonOr(toText(body), undefined)
    const shown = itemsOf(json) ?? [json]
    const params = paramsInPath(operation.path, path)
    const before = this.count
    for (const one of shown) if (isObject(one)) this.#keep(name, { ...params, ...one }, one, key)
    return this.count > before
  }

  /** Returns the fixtures, without records that refer to others which no reply showed. */
  toText(): string {
    const owners = [...this.#owners]
    const fixtures: Record<string, Fields[]> = {
      accounts: owners.map(([key, id]) => ({
        id,
        name: key,
        email: `${id}@example.com`,
        plan: 'pro',
      })),
      keys: owners.map(([key, account]) => ({
        secret: key,
        account,
      })),
    }
    const known = new Set<unknown>(owners.map(([, id]) => id))
    // A collection refers to those before it.
    for (const [name, { refers = {} }] of Object.entries(this.#definitions)) {
      const isWhole = (record: Fields) =>
        Object.keys(refers).every(
          (field) => typeof record[field] !== 'string' || known.has(record[field]),
        )
      const kept = Array.from(this.#records.get(name)?.values() ?? []).filter(isWhole)
      if (kept.length > 0) fixtures[name] = kept
      for (const { id } of kept) known.add(id)
    }
    return `${toJson(fixtures)}\n`
  }

  #keep(name: string, given: Fields, shown: Fields, key: string): void {
    const { id } = shown
    if (id === undefined) return void this.leftOut.set(name, 'replies show no ids')
    const records = cached(this.#records, name, () => new Map<string, Fields>())
    if (records.has(String(id))) return
    const account = accountOfKey(key)
    const { schema } = formOf(this.#definitions[name]!)
    const fields: Record<string, unknown> = {}
    for (const [field, part] of Object.entries(toShape(schema))) {
      const value = field === 'account' ? account : (given[field] ?? given[`${field}_id`])
      if (value !== undefined && (value !== null || acceptsNull(part))) fields[field] = value
    }
    const { error } = schema.safeParse(fields)
    if (error) {
      const [lacking] = error.issues.map((issue) => issue.path.join('.'))
      return void this.leftOut.set(name, `replies lack ${lacking}`)
    }
    this.#owners.set(key, account)
    records.set(String(id), fields)
  }

  /** The last name of a path is that of the collection: `/apps/{app_id}/users/{user_id}`. */
  #collectionOf({ path }: Operation): string | undefined {
    const last = path.split('/').findLast((part) => !part.startsWith('{'))
    return Object.keys(this.#definitions).find((name) => name === last)
  }
}

function paramsInPath(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/')
  return Object.fromEntries(
    pattern.split('/').map((name, index) => [name.slice(1, -1), parts[index] ?? '']),
  )
}
