import type { AnyCollection } from '../../core/store/collection.ts'
import { defaultPlans, isPlain, scopes } from '../../core/accounts/accounts.ts'
import { isObject } from '../../core/contract/options.ts'
import { parseJsonOr, toJson } from '../../core/http/json.ts'
import { toText } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { splitWorld } from '../../core/pipeline/router.ts'
import { toShape } from '../../core/store/validation-message.ts'
import { valueAt } from '../../core/text/values.ts'
import { systemNow } from '../../core/time/clock.ts'
import { isTime, readDate, toIso, toTimestamp } from '../../core/time/time-text.ts'
import { verificationPeriod } from '../../areas/apps/deployments/domain.ts'
import { isPlanName } from '../../custom/open-names.ts'
import { acceptsNull, formOf } from '../../fixtures/forms.ts'
import { readReset } from '../verify/session.ts'
import type { JudgedReply } from '../../proxy/front.ts'

export type Traffic = ReturnType<typeof toTraffic>

/** A request that a real service answered, with its reply. */
export function toTraffic({ request, secret, operation, path }: Exchange, { text, ...reply }: JudgedReply) {
  const { 'x-greenhouse-scenario': _, ...sent } = request.headers
  return {
    ...reply,
    /** By the clock of the service, in milliseconds since 1970. */
    at: readDate(reply.headers['Date'] ?? '') || systemNow(),
    method: request.method,
    /** From the service's root, without a world. */
    path: splitWorld(request.path).path,
    search: request.search,
    sent,
    body: request.body instanceof Uint8Array ? toText(request.body) : undefined,
    secret,
    operation,
    params: operation ? toParams(operation.path, path) : {},
    /** `undefined` if the body is not JSON. */
    json: parseJsonOr(text, undefined),
  }
}

function toParams(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/')
  const names = pattern.split('/').map((name, index) => [name.slice(1, -1), parts[index]!])
  return Object.fromEntries(names)
}

type Fields = Record<string, unknown>

interface Account {
  fields: Fields
  /** The collections that its requests have changed. */
  readonly changed: Set<string>
  readonly limits: { minute?: number; day?: number }
  readonly plants: Plants
}

interface Key {
  account: Account
  readonly lacking: Set<string>
}

/** The fields of fixtures that replies show in another way. */
const unlike: Readonly<Record<string, (shown: Fields) => Fields>> = {
  users: ({ signup_date }) => ({ created_at: signup_date }),
  plans: (shown) => ({
    price: at(shown, 'price.amount'),
    minute: at(shown, 'limits.requests_per_minute'),
    day: at(shown, 'limits.requests_per_day'),
    apps: at(shown, 'limits.apps'),
    custom_domains: at(shown, 'features.custom_domain'),
    white_label: at(shown, 'features.hide_powered_by'),
  }),
  webhooks: ({ id }) => ({ secret: `whsec_${btoa(String(id))}` }),
  deliveries: ({ payload, attempts }) => ({
    payload: toJson(payload),
    attempts: objectsOf(attempts).map(({ latency_ms: latency, ...attempt }) => ({ ...attempt, latency })),
  }),
  deployments: (shown) => ({
    failure: at(shown, 'failure.code'),
    token: /greenhouse-verify=(\w+)/.exec(toJson(shown['dns_records']))?.[1] ?? 'a'.repeat(16),
    ...(isTime(String(shown['verify_before'])) && {
      asked_at: toIso(toTimestamp(String(shown['verify_before'])) - verificationPeriod),
    }),
    ...(shown['state'] === 'issuing_certificate' && { certificate_at: 'in 30s' }),
  }),
  subscriptions: ({ status, cancel_at_period_end, period_start: start, period_end: end }) => ({
    status: cancel_at_period_end ? 'canceling' : status,
    ...(status === 'canceled' && { ending: { start, end } }),
  }),
}

function objectsOf(values: unknown): Fields[] {
  return Array.isArray(values) ? (values as unknown[]).filter(isObject) : []
}

function plantsOf(values: unknown): Fields[] {
  return objectsOf(values).filter(({ name }) => typeof name === 'string')
}

function at(shown: Fields, path: string): unknown {
  return valueAt(shown, path.split('.'))
}

/** Returns the records that a service must have had before its first reply, by collection, and what was left out. */
export class LearntRecords {
  readonly #definitions: Readonly<Record<string, AnyCollection>>
  readonly #keys = new Map<string, Key>()
  readonly #records = new Map<string, Map<string, { account: Account | undefined; readonly fields: Fields }>>()
  readonly #created = new Set<string>()
  /** Ids of plants in requests, which no other plant can have. */
  readonly #named = new Set<string>()
  readonly skipped = new Set<string>()
  readonly #startedAt: number

  constructor(traffic: readonly Traffic[], definitions: Readonly<Record<string, AnyCollection>>) {
    this.#definitions = definitions
    const first = Math.min(...traffic.map(({ at }) => at))
    this.#startedAt = first - (first % 1_000)
    for (const one of traffic) if (one.secret !== undefined && one.status !== 401) this.#learn(one, one.secret)
  }

  /** The keys that were used, and what stands for each in files: keys of plain words stay. */
  names(): Map<string, string> {
    const all = [...this.#keys.keys()]
    return new Map(all.map((secret, index) => [secret, isPlain(secret) ? secret : `key_${toLetters(index)}`]))
  }

  toFixtures(): Record<string, Fields[]> {
    const accounts = [...new Set(Array.from(this.#keys.values(), ({ account }) => account))]
    const found: Record<string, Fields[]> = {
      accounts: accounts.map((account) => ({ ...account.fields, plan: this.#planOf(account) })),
      keys: Array.from(this.#keys, ([secret, { account, lacking }]) => ({
        secret,
        account: account.fields['id'],
        ...(lacking.size > 0 && { scopes: scopes.filter((scope) => !lacking.has(scope)) }),
      })),
      plants: numbered(
        accounts.flatMap(({ fields, plants }) => plants.first().map((plant) => ({ ...plant, account: fields['id'] }))),
        this.#named,
      ),
    }
    for (const [name, records] of this.#records)
      found[name] = Array.from(records.values(), ({ account, fields }) =>
        account && 'account' in fields ? { ...fields, account: account.fields['id'] } : fields,
      ).toSorted((one, other) => timeOf(one) - timeOf(other))
    return this.#withoutDangling(found)
  }

  /** Leaves out what refers to records that no reply showed: files with it would be refused. Collections refer to earlier ones. */
  #withoutDangling(found: Readonly<Record<string, readonly Fields[]>>): Record<string, Fields[]> {
    const known = new Set<unknown>()
    const fixtures: Record<string, Fields[]> = {}
    for (const [name, { refers = {}, key }] of Object.entries(this.#definitions))
      fixtures[name] = (found[name] ?? []).filter((record) => {
        const isMissing = (field: string) => typeof record[field] === 'string' && !known.has(record[field])
        const missing = name === 'accounts' ? undefined : Object.keys(refers).find(isMissing)
        if (missing === undefined) known.add(key(record))
        else this.skipped.add(`${name} ${String(key(record))}: ${missing}`)
        return missing === undefined
      })
    return fixtures
  }

  #learn(seen: Traffic, secret: string): void {
    const key = this.#keys.get(secret) ?? this.#newKey()
    this.#keys.set(secret, key)
    const { operation, status, headers, json, at } = seen
    const limit = Number(headers['X-RateLimit-Limit'])
    const reset = readReset(headers['X-RateLimit-Reset'] ?? '', at)
    if (reset && limit > 0 && Number.isSafeInteger(limit))
      key.account.limits[reset.resetsAt - at > 61_000 ? 'day' : 'minute'] = limit
    if (status === 403 && operation && operation.scope !== 'any' && /scope|permi/i.test(toJson(json)))
      key.lacking.add(operation.scope)
    if (seen.params['id'] !== undefined) this.#named.add(seen.params['id'])
    if (!operation || status >= 300) return
    if (operation.id.startsWith('plants.')) return this.#learnPlants(key, seen)
    const list = Array.isArray(json) ? (json as unknown[]) : valueAt(json, ['data'])
    const found = objectsOf(Array.isArray(list) ? list : [json])
    const name = this.#collectionOf(operation)
    if (seen.method === 'POST') for (const { id } of found) this.#created.add(String(id))
    if (name === undefined) return
    if (seen.method !== 'GET') key.account.changed.add(name)
    else for (const one of found) this.#keep(name, one, key, seen.params)
  }

  #newKey(): Key {
    const id = `acct_${toLetters(this.#keys.size)}`
    const fields = { id, name: id, email: `${id}@example.com` }
    return { account: { fields, changed: new Set(), limits: {}, plants: new Plants() }, lacking: new Set() }
  }

  /** The last name of a path is that of the collection: `/apps/{app_id}/users/{user_id}`, `/subscription`. */
  #collectionOf({ path }: Operation): string | undefined {
    const last = path.split('/').findLast((part) => !part.startsWith('{'))!
    return [last, `${last}s`].find((name) => Object.hasOwn(this.#definitions, name))
  }

  #learnPlants(key: Key, { operation, json, params, search, body }: Traffic): void {
    const id = valueAt(json, ['0', 'id'])
    if (id !== undefined) this.#share(key, ({ plants }) => plants.has(String(id)))
    const { plants } = key.account
    if (operation!.id === 'plants.list' && Array.isArray(json) && search === '') plants.list(plantsOf(json))
    if (operation!.id === 'plants.create') {
      const sent = parseJsonOr(body ?? '', undefined)
      this.#named.add(String(valueAt(sent, ['id'])))
      plantsOf([sent]).forEach((plant) => plants.create(plant))
    }
    if (operation!.id === 'plants.delete') plants.delete(params['id']!)
  }

  /** Lets a key belong to the account of another one, if that has what this one sees. */
  #share(key: Key, has: (account: Account) => boolean): void {
    const other = Array.from(this.#keys.values(), ({ account }) => account).find(
      (one) => one !== key.account && has(one),
    )
    if (!other) return
    for (const records of this.#records.values())
      for (const record of records.values()) if (record.account === key.account) record.account = other
    key.account = other
  }

  #keep(name: string, shown: Fields, key: Key, params: Traffic['params']): void {
    const definition = this.#definitions[name]!
    if (name === 'accounts') this.#share(key, ({ fields }) => fields['id'] === shown['id'])
    const { account } = key
    const fields = toFixture(definition, { ...shown, account: account.fields['id'] }, params)
    if (name === 'accounts') {
      const { plan } = account.fields
      const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string')
      account.fields = { ...account.fields, ...Object.fromEntries(texts), ...(plan !== undefined && { plan }) }
      return
    }
    if (typeof shown['plan'] === 'string') account.fields['plan'] ??= shown['plan']
    const id = String(definition.key(fields))
    const records = this.#records.get(name) ?? new Map()
    this.#records.set(name, records)
    const known = records.get(id)
    if (known && name !== 'plans') this.#share(key, (one) => one === known.account)
    if (known || this.#created.has(id) || timeOf(fields) >= this.#startedAt) return
    const changed = [name, ...(definition.writtenWith ?? [])].some((one) => account.changed.has(one))
    // A new plan has an id that no schema lists yet.
    const isPlan = name === 'plans' && isPlanName(fields['id'])
    const { error } = formOf(definition).schema.safeParse(isPlan ? { ...fields, id: 'free' } : fields)
    if (error || (changed && timeOf(fields) === 0))
      this.skipped.add(`${name} ${id}: ${error?.issues[0]!.path.join('.') ?? 'shown only after a change'}`)
    else records.set(id, { account, fields })
  }

  /** Returns the plan of an account; makes one if its limits are those of no plan. */
  #planOf({ fields: { plan }, limits }: Account): unknown {
    const name = isPlanName(plan) ? plan : undefined
    if (plan !== name) this.skipped.add(`plans ${String(plan)}: id`)
    const plans = this.#records.get('plans') ?? new Map()
    const known: Fields[] = [
      ...Array.from(plans.values(), ({ fields }) => fields),
      ...(defaultPlans as object[] as Fields[]),
    ]
    const fits = (one: Fields) => Object.entries(limits).every(([window, limit]) => one[window] === limit)
    const fitting = known.find((one) => (name === undefined || one['id'] === name) && fits(one))
    if (fitting) return fitting['id']
    const id = name ?? `learnt_${toLetters(plans.size)}`
    this.#records.set('plans', plans)
    plans.set(id, { account: undefined, fields: { ...plans.get(id)?.fields, id, ...limits } })
    return id
  }
}

function toFixture(definition: AnyCollection, shown: Fields, params: Traffic['params']): Fields {
  const given = { ...params, ...shown, ...unlike[definition.name]?.(shown) }
  const fields: Fields = {}
  for (const [name, part] of Object.entries(toShape(formOf(definition).schema)!)) {
    const value = name in given ? given[name] : given[`${name}_id`]
    if (value !== undefined && (value !== null || acceptsNull(part))) fields[name] = value
  }
  return fields
}

type Plant = ReturnType<typeof toPlant>

/** The plants of an account: lists show them without ids, deletions show ids. */
class Plants {
  readonly #all: Plant[] = []
  /** Ids whose plants went before a list showed which. */
  readonly #gone: string[] = []

  has(id: string): boolean {
    return this.#all.some((plant) => plant.id === id)
  }

  /** Adds the plants of a list that are not known yet. Those that it skips are gone. */
  list(shown: readonly Fields[]): void {
    const [first, second] = shown
    const isNewest = second !== undefined && this.#all.some((one) => one.isNew && !one.isGone && isAs(one, first!))
    let place = 0
    const skip = (end?: number) => {
      for (const plant of this.#all.slice(place, end)) if (!plant.isGone) this.#end(plant)
    }
    for (const one of isNewest ? shown.toReversed() : shown) {
      const found = this.#all.findIndex((plant, index) => index >= place && !plant.isGone && isAs(plant, one))
      if (found < 0) this.#all.splice(place, 0, toPlant(one, false))
      else skip(found)
      place = Math.max(found, place) + 1
    }
    if (shown.length > 0) skip()
  }

  create(sent: Fields): void {
    if (!this.#all.some(({ id, isGone }) => id === String(sent['id']) && !isGone)) this.#all.push(toPlant(sent, true))
  }

  delete(id: string): void {
    const plant = this.#all.find((one) => one.id === id && !one.isGone)
    if (plant) plant.isGone = true
    else this.#gone.push(id)
  }

  /** Those that were there before any request. */
  first(): Fields[] {
    const old = this.#all.filter(({ isNew }) => !isNew)
    return old.map(({ id, name, tag }) => ({
      id: id ?? this.#gone.shift(),
      name,
      ...(typeof tag === 'string' && { tag }),
    }))
  }

  #end(plant: Plant): void {
    plant.isGone = true
    plant.id ??= this.#gone.shift()
  }
}

function toPlant({ id, name, tag }: Fields, isNew: boolean) {
  return { id: id === undefined ? undefined : String(id), name, tag, isNew, isGone: false }
}

function isAs({ id, name, tag }: Plant, shown: Fields): boolean {
  const sameId = id === undefined || shown['id'] === undefined || id === String(shown['id'])
  return sameId && name === shown['name'] && tag === shown['tag']
}

/** Gives numbers to plants whose ids no request showed. */
function numbered(plants: readonly Fields[], named: Iterable<string>): Fields[] {
  const taken = new Set<unknown>([...named, ...plants.map(({ id }) => id)])
  let next = 1
  return plants.map(({ id, ...plant }) => {
    if (typeof id === 'string' && /^-?\d+$/.test(id)) return { id: BigInt(id), ...plant }
    while (taken.has(String(next))) next++
    return { id: next++, ...plant }
  })
}

/** When a record was created; 0 if nobody knows. */
function timeOf({ created_at: time }: Fields): number {
  return typeof time === 'string' && isTime(time) ? toTimestamp(time) : 0
}

function toLetters(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26))
  return index < 26 ? letter : toLetters(Math.floor(index / 26)) + letter
}
