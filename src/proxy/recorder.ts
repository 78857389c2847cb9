import { defaultPlans, isPlain, scopes } from '../core/accounts/accounts.ts'
import { parseJson, toJson } from '../core/http/json.ts'
import { toText } from '../core/http/reply.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import { Date, systemNow } from '../core/time/system-time.ts'
import type { Fronting } from './attach.ts'
import type { LearnedReply } from './front.ts'
import { partOf, readAssumptions, readWindow, type Shown } from './learn-assumptions.ts'

type Fields = Readonly<Record<string, unknown>>

/** How the records of a resource are written in fixtures: the name of a field there, by its name in replies. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apps: {},
  users: { signup_date: 'created_at' },
  conversations: { app_id: 'app', user_id: 'user' },
  messages: { conversation_id: 'conversation' },
}

const shownOnly = ['status', 'message_count', 'last_message_at']

/** The most records of a resource, keys, and kinds of unknown replies that are learnt. */
const maxLearnt = 10_000

interface KnownPlant {
  id: string | undefined
  readonly name: string
  readonly tag: string | undefined
  readonly isNew: boolean
  isGone: boolean
}

interface KnownAccount {
  id: string
  name: string
  email: string
  plan: string | undefined
  readonly limits: { minute?: number; day?: number }
  readonly plants: KnownPlant[]
  /** Ids whose plants went before a list showed which. */
  readonly gone: string[]
}

interface KnownKey {
  account: KnownAccount
  readonly lacking: Set<string>
}

type Learning = Pick<Fronting, 'hasOperation' | 'assumptions'>

/** Learns from the replies of a real service what it starts with, and how it behaves where the reference is silent. */
export class Recorder {
  readonly #keys = new Map<string, KnownKey>()
  readonly #records = new Map<string, Map<string, Fields>>()
  readonly #created = new Set<string>()
  readonly #plans = new Map<string, Fields>()
  readonly #assumptions = new Map<string, Set<string>>()
  readonly #unknown = new Map<
    string,
    { operation: string; status: number; differs: readonly string[]; count: number }
  >()
  readonly #skipped = new Set<string>()
  readonly #greenhouse: Learning
  #startedAt = Infinity
  #count = 0

  constructor(greenhouse: Learning) {
    this.#greenhouse = greenhouse
  }

  readonly learn = (exchange: Exchange, reply: LearnedReply): void => {
    const { request, secret, operation } = exchange
    this.#count++
    const json = parse(reply.text)
    const at = Date.parse(reply.headers['Date'] ?? '') || systemNow()
    this.#startedAt = Math.min(this.#startedAt, at)
    const hasKey = secret !== undefined && reply.status !== 401
    const key = hasKey && (this.#keys.has(secret) || this.#keys.size < maxLearnt) ? this.#keyOf(secret) : undefined
    const body = request.body instanceof Uint8Array ? parse(toText(request.body)) : undefined
    const shown: Shown = {
      area: exchange.area.name,
      operation: operation?.id,
      method: request.method,
      path: exchange.path,
      query: new URLSearchParams(request.search),
      sent: typeof body === 'object' && body !== null ? (body as Fields) : undefined,
      sentType: String(request.headers['content-type'] ?? ''),
      scheme: String(request.headers['authorization'] ?? '').split(' ', 1)[0] || undefined,
      hasKnownPath: this.#greenhouse.hasOperation(
        request.method === 'HEAD' ? 'GET' : request.method,
        exchange.area.base + exchange.path,
      ),
      status: reply.status,
      ok: reply.status >= 200 && reply.status < 300,
      headers: reply.headers,
      json,
      at,
      plants: key?.account.plants.filter(({ isGone }) => !isGone).length ?? 0,
      hasPlant: (id) => hasPlant(key?.account, id),
    }
    if (key) this.#learnPlants(key, shown, true)
    for (const [id, value] of readAssumptions(shown)) this.#assume(id, value)
    if (reply.violations.length > 0) {
      const name = toJson([operation?.id, reply.status, reply.violations])
      const known = this.#unknown.get(name)
      const first = {
        operation: operation?.id ?? request.method,
        status: reply.status,
        differs: reply.violations,
        count: 1,
      }
      if (known || this.#unknown.size < maxLearnt)
        this.#unknown.set(name, known ? { ...known, count: known.count + 1 } : first)
    }
    if (!key) return
    this.#learnPlants(key, shown, false)
    this.#learnLimits(key.account, shown)
    if (reply.status === 403 && operation && operation.scope !== 'any' && /scope|permi/i.test(reply.text))
      key.lacking.add(operation.scope)
    if (reply.status < 300) this.#learnRecords(key, shown)
  }

  /** Returns the files by name: fixtures, assumptions, a report. None holds a key, unless it consists of plain words. */
  toFiles(redact: (text: string) => string): Record<string, string> {
    const names = new Map(
      [...this.#keys.keys()].map((secret, index) => [secret, isPlain(secret) ? secret : `key_${toLetters(index)}`]),
    )
    const accounts = [...new Set([...this.#keys.values()].map(({ account }) => account))]
    const keys = [...this.#keys].map(([secret, { account, lacking }]) => ({
      secret: names.get(secret),
      account: account.id,
      ...(lacking.size > 0 && { scopes: scopes.filter((scope) => !lacking.has(scope)) }),
    }))
    const plants = accounts.flatMap(({ id: account, plants: own, gone }) =>
      own.flatMap(({ id, name, tag, isNew }) => (isNew ? [] : [{ id: id ?? gone.pop(), name, tag, account }])),
    )
    const written = accounts.map(({ id, name, email, plan, limits }) => ({
      id,
      name,
      email,
      plan: this.#planOf(plan, limits),
    }))
    const taken = new Set(plants.map(({ id }) => id))
    let next = 1
    const numbered = plants.map((plant) => {
      while (plant.id === undefined && taken.has(String(next))) next++
      return { ...plant, id: BigInt(plant.id ?? next++) }
    })
    const fixtures: Record<string, unknown> = {
      plans: [...this.#plans.values()],
      accounts: written,
      plants: numbered,
    }
    for (const [name, records] of this.#records)
      fixtures[name] = [...records.values()]
        .filter((record) => timeOf(record) < Math.floor(this.#startedAt / 1_000) * 1_000)
        .toSorted((one, other) => timeOf(one) - timeOf(other))
        .map((record) => ({ ...record, account: (record['account'] as KnownAccount).id }))
    const values = new Map(this.#greenhouse.assumptions().map((one) => [one.id as string, one.values]))
    const isSettled = ([id, [value, more]]: readonly [string, readonly string[]]) =>
      more === undefined && values.get(id)?.includes(value!) === true
    const seen = Array.from(this.#assumptions, ([id, all]) => [id, [...all]] as const)
    const settled = seen.filter(isSettled)
    const report = {
      requests: this.#count,
      learnt: settled.map(([id]) => id),
      not_settled: Object.fromEntries(seen.filter((one) => !isSettled(one))),
      not_in_the_contract: [...this.#unknown.values()],
      not_learnt: [...this.#skipped],
    }
    const write = (value: unknown) => {
      let text = toJson(value)
      for (const [secret, name] of names) if (secret !== name) text = text.replaceAll(secret, name)
      return `${redact(text)}\n`
    }
    return {
      'fixtures/keys.json': toJson({ keys }),
      'fixtures/learnt.json': write(fixtures),
      'assumptions.yaml': toJson(Object.fromEntries(settled.map(([id, [value]]) => [id, value]))),
      'report.json': write(report),
    }
  }

  #assume(id: string, value: string): void {
    this.#assumptions.set(id, (this.#assumptions.get(id) ?? new Set()).add(value))
  }

  #keyOf(secret: string): KnownKey {
    const known = this.#keys.get(secret)
    if (known) return known
    const id = `acct_${toLetters(this.#keys.size)}`
    const account = { id, name: id, email: `${id}@example.com`, plan: undefined, limits: {}, plants: [], gone: [] }
    const made = { account, lacking: new Set<string>() }
    this.#keys.set(secret, made)
    return made
  }

  /** Lets a key belong to the account of another key, if that account has what this one sees. */
  #share(key: KnownKey, has: (account: KnownAccount) => boolean): void {
    const other = [...this.#keys.values()].find(({ account }) => account !== key.account && has(account))
    if (other) key.account = other.account
  }

  #learnLimits({ limits }: KnownAccount, { headers, at }: Shown): void {
    const limit = Number(headers['X-RateLimit-Limit'])
    const reset = readWindow(headers['X-RateLimit-Reset'] ?? '', at)
    if (reset && limit > 0) limits[reset.left > 61_000 ? 'day' : 'minute'] = limit
  }

  /** Returns the plan of an account; makes one if the limits are those of no plan. */
  #planOf(name: string | undefined, { minute, day }: KnownAccount['limits']): string {
    const fits = (plan: Fields) => (minute ?? plan['minute']) === plan['minute'] && (day ?? plan['day']) === plan['day']
    const known = [...this.#plans.values(), ...(defaultPlans as readonly object[] as readonly Fields[])]
    const named = known.find(({ id }) => id === name)
    if (named && fits(named)) return String(named['id'])
    const fitting = name === undefined ? known.find(fits) : undefined
    if (fitting) return String(fitting['id'])
    const id = name ?? `learnt_${toLetters(this.#plans.size)}`
    this.#plans.set(id, {
      ...this.#plans.get(id),
      id,
      ...(minute !== undefined && { minute }),
      ...(day !== undefined && { day }),
    })
    return id
  }

  /** Follows the plants of a caller, which replies show without their ids. @param isBefore before the rows read this reply */
  #learnPlants(key: KnownKey, shown: Shown, isBefore: boolean): void {
    const { operation, status, sent, json, path, query, hasPlant: has } = shown
    if (status >= 300) return
    const shownId = operation === 'plants.list' && Array.isArray(json) ? partOf(json[0], 'id') : undefined
    if (shownId !== undefined) this.#share(key, ({ plants }) => plants.some(({ id }) => id === String(shownId)))
    const { plants, gone } = key.account
    if (operation === 'plants.list' && isBefore && Array.isArray(json) && query.size === 0) {
      const isNewest =
        plants.some(({ isNew, isGone, name }) => isNew && !isGone && name === partOf(json[0], 'name')) &&
        json.length > 1
      if (plants.some(({ isNew, isGone }) => isNew && !isGone) && json.length > 1)
        this.#assume('plants.list.order', isNewest ? 'newest' : 'created')
      mergePlants(plants, gone, isNewest ? json.toReversed() : json)
    }
    if (isBefore) return
    const id = path.slice(path.lastIndexOf('/') + 1)
    if (operation === 'plants.create' && has(String(sent?.['id'])) !== true)
      plants.push({
        id: String(sent?.['id']),
        name: String(sent?.['name']),
        tag: sent?.['tag'] as string | undefined,
        isNew: true,
        isGone: false,
      })
    if (operation !== 'plants.delete') return
    const plant = plants.find((one) => one.id === id && !one.isGone)
    if (plant) plant.isGone = true
    else if (has(id) === undefined) gone.push(id)
  }

  #learnRecords(key: KnownKey, { operation = '', json, path }: Shown): void {
    const [resource = '', verb] = operation.split('.')
    const list = Array.isArray(json) ? json : partOf(json, 'data')
    const found = (Array.isArray(list) ? list : [json]).filter(
      (one) => typeof partOf(one, 'id') === 'string',
    ) as Fields[]
    if (operation === 'account.get') {
      this.#share(key, ({ id }) => id === partOf(json, 'id'))
      Object.assign(key.account, pick(json as Fields, ['id', 'name', 'email', 'plan']))
    }
    if (resource === 'plans') for (const plan of found) this.#plans.set(String(plan['id']), plan)
    else if (verb === 'create') for (const { id } of found) this.#created.add(String(id))
    else if (kinds[resource] && (verb === 'get' || verb === 'list')) this.#keep(resource, found, key, path)
    else if (found.length > 0 && !['plants', 'account'].includes(resource)) this.#skipped.add(operation)
  }

  #keep(resource: string, found: readonly Fields[], key: KnownKey, path: string): void {
    const records = this.#records.get(resource) ?? new Map<string, Fields>()
    this.#records.set(resource, records)
    const [, , app] = path.split('/')
    for (const one of found) {
      const id = String(one['id'])
      this.#share(key, (account) => records.get(id)?.['account'] === account)
      if (records.has(id) || this.#created.has(id) || records.size >= maxLearnt) continue
      const fields = Object.entries(one).flatMap(([name, value]) =>
        (value === null && !kinds[resource]![name]) || shownOnly.includes(name)
          ? []
          : [[kinds[resource]![name] ?? name, value]],
      )
      records.set(id, { ...Object.fromEntries(fields), account: key.account, ...(resource === 'users' && { app }) })
    }
  }
}

/** Adds the plants of a list that are not known yet. Those that it skips are the ones that are gone. */
function mergePlants(plants: KnownPlant[], gone: string[], list: readonly unknown[]): void {
  let at = 0
  for (const one of list) {
    const name = String(partOf(one, 'name'))
    const found = plants.findIndex(
      (plant, index) => index >= at && plant.name === name && !plant.isGone && plant.tag === partOf(one, 'tag'),
    )
    if (found < 0) plants.splice(at++, 0, toPlant(one, name))
    else {
      for (const plant of plants.slice(at, found)) if (!plant.isGone) setGone(plant, gone)
      at = found + 1
    }
  }
  for (const plant of plants.slice(at)) if (!plant.isGone && list.length > 0) setGone(plant, gone)
}

function toPlant(one: unknown, name: string): KnownPlant {
  const id = partOf(one, 'id')
  const tag = partOf(one, 'tag') as string | undefined
  return { id: id === undefined ? undefined : String(id), name, tag, isNew: false, isGone: false }
}

function setGone(plant: KnownPlant, gone: string[]): void {
  plant.isGone = true
  plant.id ??= gone.shift()
}

function hasPlant(account: KnownAccount | undefined, id: string): boolean | undefined {
  if (!account) return undefined
  if (account.gone.includes(id)) return false
  const own = account.plants.filter((plant) => plant.id === id)
  return own.length === 0 ? undefined : own.some(({ isGone }) => !isGone)
}

/** When a record was created; 0 if nobody knows. */
function timeOf({ created_at: at }: Fields): number {
  return Date.parse(String(at)) || 0
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function toLetters(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26))
  return index < 26 ? letter : toLetters(Math.floor(index / 26)) + letter
}
