import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { times } from '../support/soak.ts'

/** A reply as it came over a socket. */
interface WireReply {
  status: number
  /** The world in X-Greenhouse. */
  world: string | undefined
  remaining: string | undefined
  /** The parsed JSON body; `undefined` when there is none. */
  body: unknown
}

/** Sends requests over connections that stay open. */
function openWire(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (method: string, path: string, headers: OutgoingHttpHeaders, body?: unknown) =>
    new Promise<WireReply>((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const own =
        sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
      const call = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...own } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
          response.on('error', reject).on('end', () => {
            const trace = String(response.headers['x-greenhouse'])
            resolve({
              status: response.statusCode!,
              world: /^world=([^;]*)/.exec(trace)?.[1],
              remaining: response.headers['x-ratelimit-remaining'] as string | undefined,
              body: text === '' ? undefined : JSON.parse(text),
            })
          })
        },
      )
      call.on('error', reject).end(sent)
    })
  return { send, close: () => agent.destroy() }
}

/** The settings of one world. */
interface Setting {
  name: string
  now: string
  /** Whether plants are shown with their ids. */
  includesId: boolean
  /** Whether every deletion of a plant is a server error. */
  failsDeletes: boolean
  /** An account's remaining requests: to apps, and under a scenario also to plants. */
  budget: number
}

interface Step {
  method: string
  path: string
  body?: unknown
  once?: string
  operation: string
  /** Asserts the reply and does to the model what the request did. */
  check(reply: WireReply): void
}

type App = Record<string, unknown> & { id: string }

const fresh = {
  display_name: null,
  description: null,
  model: null,
  system_prompt: null,
  welcome_message: null,
  login_required: false,
}
/** The plan's requests per minute. */
const planBudget = 120

const overLimit = 'The rate limit of the plan is exceeded.'

const requestId = expect.stringMatching(/^req_[a-z2-7]{16}$/)
const failure = (code: string, message: string) => ({ error: { code, message, request_id: requestId } })

/** What one account of one world must see, whatever the others do. */
class ModelClient {
  readonly #setting: Setting
  readonly #index: number
  readonly #random: () => number
  readonly #seen: Set<string>
  readonly #plants = new Map<number, string>()
  readonly #replays = new Map<string, unknown>()
  readonly #gone: string[] = []
  #apps: App[] = []
  #left: number

  /** @param seen the ids of the apps of the whole world. */
  constructor(setting: Setting, index: number, random: () => number, seen: Set<string>) {
    this.#setting = setting
    this.#index = index
    this.#random = random
    this.#seen = seen
    this.#left = setting.budget
  }

  next(): Step {
    const roll = this.#random()
    if (roll < 0.25) return this.#createPlant()
    if (roll < 0.45) return this.#deletePlant()
    if (roll < 0.6) return this.#listPlants()
    if (roll < 0.7) return this.#createApp()
    if (roll < 0.75) return this.#createAppOnce()
    if (roll < 0.82) return this.#changeApp()
    if (roll < 0.88) return this.#getApp()
    if (roll < 0.94 || this.#apps.length > 25) return this.#deleteApp()
    return this.#listApps()
  }

  #createPlant(): Step {
    const id = this.#plantId(this.#index)
    const name = `${this.#setting.name} ${this.#index} ${this.#pick(1_000)}`
    return this.#onPlants('plants.create', 'POST', '/plants', { id, name }, () => {
      if (this.#plants.has(id)) return [400, { error: 400, message: `id: a plant with the id ${id} exists already.` }]
      this.#plants.set(id, name)
      return [200, this.#shown(id, name)]
    })
  }

  #deletePlant(): Step {
    const foreign = this.#random() < 0.2
    const id = this.#plantId(foreign ? (this.#index + 1) % 8 : this.#index)
    return this.#onPlants('plants.delete', 'DELETE', `/plants/${id}`, undefined, () => {
      if (this.#setting.failsDeletes) return [500, { error: 500, message: 'Something went wrong on our side.' }]
      return !foreign && this.#plants.delete(id)
        ? [204, undefined]
        : [404, { error: 404, message: `There is no plant with the id ${id}.` }]
    })
  }

  #listPlants(): Step {
    const limit = this.#pick(10)
    return this.#onPlants('plants.list', 'GET', `/plants?limit=${limit}`, undefined, () => [
      200,
      Array.from(this.#plants, ([id, name]) => this.#shown(id, name)).slice(0, limit),
    ])
  }

  #createApp(): Step {
    const name = `${this.#setting.name} ${this.#index} ${this.#pick(1_000)}`
    return this.#onApps('apps.create', 'POST', '/v1/apps', { name }, undefined, (body) => [201, this.#made(name, body)])
  }

  #createAppOnce(): Step {
    const once = `once-${this.#pick(4)}`
    return this.#onApps('apps.create', 'POST', '/v1/apps', { name: once }, once, (body) => {
      if (!this.#replays.has(once)) this.#replays.set(once, this.#made(once, body))
      return [201, this.#replays.get(once)]
    })
  }

  #changeApp(): Step {
    const id = this.#appId()
    const changes = { name: `changed ${this.#pick(1_000)}`, login_required: this.#random() < 0.5 }
    return this.#onApps('apps.update', 'PATCH', `/v1/apps/${id}`, changes, undefined, () => {
      const app = this.#apps.find((app) => app.id === id)
      if (!app) return this.#absent(id)
      const changed = { ...app, ...changes }
      this.#apps = this.#apps.map((other) => (other === app ? changed : other))
      return [200, changed]
    })
  }

  #getApp(): Step {
    const id = this.#appId()
    return this.#onApps('apps.get', 'GET', `/v1/apps/${id}`, undefined, undefined, () => {
      const app = this.#apps.find((app) => app.id === id)
      return app ? [200, app] : this.#absent(id)
    })
  }

  #deleteApp(): Step {
    const id = this.#appId()
    return this.#onApps('apps.delete', 'DELETE', `/v1/apps/${id}`, undefined, undefined, () => {
      const app = this.#apps.find((app) => app.id === id)
      if (!app) return this.#absent(id)
      this.#apps = this.#apps.filter((other) => other !== app)
      this.#gone.push(id)
      return [204, undefined]
    })
  }

  #listApps(): Step {
    return this.#onApps('apps.list', 'GET', '/v1/apps?limit=100', undefined, undefined, () => [
      200,
      { data: this.#apps.toReversed(), has_more: false, next_cursor: null },
    ])
  }

  #onPlants(operation: string, method: string, path: string, body: unknown, expected: () => [number, unknown]): Step {
    const isLimited =
      this.#setting.budget < planBudget && !(this.#setting.failsDeletes && operation === 'plants.delete')
    const check = (reply: WireReply) =>
      this.#compare(reply, isLimited && this.#spend() ? [429, { error: 429, message: overLimit }] : expected())
    return { operation, method, path, body, check }
  }

  #onApps(
    operation: string,
    method: string,
    path: string,
    body: unknown,
    once: string | undefined,
    expected: (body: unknown) => [number, unknown],
  ): Step {
    const check = (reply: WireReply) => {
      this.#compare(reply, this.#spend() ? [429, failure('rate_limit_exceeded', overLimit)] : expected(reply.body))
      expect(reply.remaining).toBe(String(this.#left))
    }
    return { operation, method, path, body, ...(once !== undefined && { once }), check }
  }

  /** Counts a request; returns whether none was left. */
  #spend(): boolean {
    const isOver = this.#left === 0
    if (!isOver) this.#left--
    return isOver
  }

  #compare({ world, status, body }: WireReply, [expectedStatus, expectedBody]: [number, unknown]): void {
    expect({ world, status, body }).toEqual({ world: this.#setting.name, status: expectedStatus, body: expectedBody })
  }

  /** The app that a creation must have given; only its id is new. */
  #made(name: string, body: unknown): App {
    const { id } = body as App
    expect(id).toMatch(/^app_[a-z2-7]{16}$/)
    expect(this.#seen.has(id)).toBe(false)
    this.#seen.add(id)
    const app = { id, name, ...fresh, created_at: this.#setting.now, updated_at: this.#setting.now }
    this.#apps.push(app)
    return app
  }

  #absent(id: string): [number, unknown] {
    return [404, failure('not_found', `There is no app with the id "${id}".`)]
  }

  #shown(id: number, name: string) {
    return this.#setting.includesId ? { name, id } : { name }
  }

  /** The same ids in every world. */
  #plantId(index: number): number {
    return index * 100 + this.#pick(20)
  }

  #appId(): string {
    const known = [...this.#apps.map(({ id }) => id), ...this.#gone.slice(-3), 'app_none']
    return known[this.#pick(known.length)]!
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

const seed = Number(process.env['ISOLATION_SEED'] ?? 20_260_301)
const clients = 8
/** As many from each client. */
const requestsPerWorld =
  clients * Math.round(Number(process.env['ISOLATION_REQUESTS'] ?? times(5_000, 1_040)) / clients)

const accounts = Array.from({ length: clients }, (_, index) => ({
  id: `acct_${index}`,
  name: `${index}`,
  email: `${index}@example.com`,
  plan: 'lite',
}))
const keys = accounts.map(({ id }, index) => ({ secret: `key_${index}`, account: id }))
const settings: Setting[] = Array.from({ length: 8 }, (_, index) => ({
  name: `world.${index}`,
  now: `20${30 + index}-01-01T00:00:00.000Z`,
  includesId: index % 4 === 1,
  failsDeletes: index % 4 === 2,
  budget: index % 4 === 3 ? 20 : 120,
}))

test(`8 worlds, called ${requestsPerWorld} times each at once, are isolated (seed ${seed})`, async () => {
  const greenhouse = createGreenhouse({
    fixtures: { accounts, keys, plants: [], apps: [] },
    journal: { entries: requestsPerWorld, bytes: 2 ** 30 },
  })
  for (const setting of settings) arrange(setting)
  await using server = await serve(greenhouse)
  const wire = openWire(server.port, settings.length * clients)
  const called = new Map(settings.map(({ name }) => [name, new Map<string, number>()]))
  try {
    await Promise.all(
      settings.flatMap((setting, number) => {
        const seen = new Set<string>()
        return keys.map(({ secret }, index) =>
          live(setting, secret, index, createChance(seed + number * clients + index), seen),
        )
      }),
    )
  } finally {
    wire.close()
  }

  for (const { name, now } of settings) {
    const entries = greenhouse.world(name).journal.calls()
    const counts = new Map<string, number>()
    for (const { operation } of entries) counts.set(operation!, (counts.get(operation!) ?? 0) + 1)
    expect(counts).toEqual(called.get(name))
    expect(new Set(entries.map((entry) => entry.world))).toEqual(new Set([name]))
    expect(new Set(entries.map((entry) => entry.at))).toEqual(new Set([now]))
  }
  expect(greenhouse.world().journal.calls()).toEqual([])

  function arrange({ name, now, includesId, failsDeletes, budget }: Setting) {
    const world = greenhouse.world(name)
    world.clock.freeze()
    world.clock.set(now)
    if (includesId) world.assume('plants.body.includes-id', 'yes')
    if (failsDeletes) world.use('server-error', { on: 'plants.delete' })
    if (budget < planBudget) world.use('rate-limited-plan', { remaining: budget })
  }

  async function live({ name }: Setting, secret: string, index: number, random: () => number, seen: Set<string>) {
    const model = new ModelClient(
      settings.find((setting) => setting.name === name)!,
      index,
      random,
      seen,
    )
    const counts = called.get(name)!
    for (let sent = 0; sent < requestsPerWorld / clients; sent++) {
      const { operation, method, path, body, once, check } = model.next()
      counts.set(operation, (counts.get(operation) ?? 0) + 1)
      const { prefix, headers } = address(name, secret, random())
      const reply = await wire.send(
        method,
        prefix + path,
        { ...headers, ...(once !== undefined && { 'idempotency-key': once }) },
        body,
      )
      check(reply)
    }
  }
})

/** Each of the three ways to name a world. */
function address(world: string, secret: string, roll: number): { prefix: string; headers: Record<string, string> } {
  const authorization = `Bearer ${secret}`
  if (roll < 1 / 3) return { prefix: `/~${world}`, headers: { authorization } }
  if (roll < 2 / 3) return { prefix: '', headers: { authorization, 'x-greenhouse-world': world } }
  return { prefix: '', headers: { authorization: `${authorization}@${world}` } }
}

/** Numbers in [0, 1) from a seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
