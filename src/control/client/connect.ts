import { codedError } from '../../core/text/error-codes.ts'
import type { WorldStart } from '../../api/world-start.ts'
import { directFetch } from './direct-fetch.ts'
import {
  callback,
  checkArgument,
  checkOptions,
  type SchemasOf,
  text,
} from '../../core/store/options.ts'
import { worldName, worldNameRule, toServerBases } from '../../core/http/urls.ts'
import { quote, showValue } from '../../core/text/messages.ts'
import { after, type Clock } from '../../core/time/clock.ts'
import { ControlApi, type ControlApiOptions, describeVersion } from './control-api.ts'
import { type ServerFacts, WorldCalls, ifKnown } from './world-calls.ts'
import { signalSchema, ClientJournal } from './journal.ts'
import type { RemoteGreenhouse, RemoteWorld, Remote } from './remote.ts'
import type { ScenarioChoice, TriggerOptions } from '../../api/names.ts'
import {
  isObject,
  rejectSecondArgument,
  throwOnMisspeltNames,
} from '../../core/contract/options.ts'
import { keyIn } from '../../core/text/world-key.ts'
import { readDate, toClockTime, toMilliseconds } from '../../core/time/time-text.ts'
import type { ClockChange } from '../actions/clock.ts'
import type { WorldSummary } from '../shapes.ts'
import {
  assumptionChoices,
  caseTitle,
  eventTypeText,
  snapshotName,
  triggerSchemas,
} from '../../api/world-arguments.ts'
import { ClientRecords } from './records.ts'
import type { Fields, Texts } from '../../core/text/values.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { toPlainData } from '../../scenarios/language/plain-data.ts'

/** The options of `connect`. */
export interface ConnectOptions {
  /** The value of the server's `--token`, if it has one. */
  readonly token?: string | undefined
  /**
   * Sends the requests: a `fetch` with a proxy, a certificate or a log. By default the platform's,
   * without a proxy for this machine.
   */
  readonly fetch?: ((url: URL, init: RequestInit) => Promise<Response>) | undefined
  /** Ends all calls and loops of this client. */
  readonly signal?: AbortSignal | undefined
}

const schemas: SchemasOf<ConnectOptions> = {
  token: text('the value of --token of the server', undefined, { isSecret: true }),
  fetch: callback('a function such as fetch'),
  signal: signalSchema,
}

/** The longest wait for a server, in milliseconds. */
const longestWait = 2_000

/**
 * Connects to a server that runs: its worlds have the names of `World`, and answer promises.
 * @param url where the server is: `http://127.0.0.1:4010`.
 * @example
 * const greenhouse = await connect('http://127.0.0.1:4010')
 * await using world = await greenhouse.isolate()
 * await world.use('expired-key')
 * await fetch(`${world.plantsUrl}/plants`, { headers: { authorization: 'Bearer key_pro' } })
 * await world.journal.calls({ status: 401 })
 * @throws ServerUnreachableError when nobody answers within two seconds, ForeignServerError when it
 * is not Greenhouse, TokenError for a missing or wrong token; TypeError or RangeError for a wrong
 * argument.
 */
export async function connect(
  url: string | URL,
  options: ConnectOptions = {},
): Promise<RemoteGreenhouse> {
  const server = toOrigin(url)
  checkOptions('connect', options, schemas)
  const { token, fetch = directFetch, signal } = options
  const shared: ControlApiOptions = {
    token: () => token,
    fetch,
    signal,
  }
  const api = new ControlApi(server, shared)
  const { version, ...facts } = await loadFacts(api)
  const warning = describeVersion(server, version)
  if (warning !== undefined) console.warn(`Greenhouse: ${warning}`)
  const create = (name: string) =>
    createRemoteWorld(
      new WorldCalls(
        server,
        {
          ...shared,
          world: name,
        },
        facts,
      ),
      name,
    )
  const worlds = new Map<string, RemoteWorld>()
  const greenhouse: RemoteGreenhouse = {
    url: server,
    version,
    world(name = 'default') {
      checkArgument('greenhouse.world', 'the first argument', name, nameSchema)
      const world = worlds.get(name) ?? create(name)
      worlds.set(name, world)
      return world
    },
    async isolate(start: WorldStart = {}) {
      // Two processes must not choose the same name.
      // eslint-disable-next-line no-restricted-properties
      const chance = crypto.getRandomValues(new Uint32Array(2))
      const world = create(`isolated-${Array.from(chance, (part) => part.toString(36)).join('')}`)
      await world.reset(start)
      return Object.assign(world, {
        async [Symbol.asyncDispose]() {
          await world.delete()
        },
      })
    },
    worlds: async () => (await api.call('GET /worlds')).data.map(({ name }) => name),
    hasWorld: async (name) => (await greenhouse.worlds()).includes(name),
    deleteWorld: (name) => greenhouse.world(name).delete(),
    operations: async () => (await api.call('GET /operations')).data,
    scenarios: async (query = {}) => (await api.call('GET /scenarios', query)).data,
    assumptions: async () => (await api.call('GET /assumptions')).data,
  }
  return greenhouse
}

/** @throws ForeignServerError, ServerUnreachableError */
async function loadFacts(api: ControlApi): Promise<ServerFacts & { readonly version: string }> {
  const late = new AbortController()
  const unanswered = new Error(`it does not answer within ${longestWait / 1_000} s`)
  const stopWaiting = after(longestWait, () => late.abort(api.toUnreachable(unanswered)))
  const inTime = { signal: late.signal }
  const [{ version }, { data: collections }, { data: operations }] = await Promise.all([
    api.call('GET /start', {}, inTime),
    api.call('GET /collections', {}, inTime),
    api.call('GET /operations', {}, inTime),
  ]).finally(stopWaiting)
  if (typeof version !== 'string' || !Array.isArray(collections) || !Array.isArray(operations))
    throw api.toForeign(200)
  return {
    version,
    collections,
    operations: operations.map(({ id }) => id),
  }
}

// URL parsers remove the names `.` and `..`.
const nameSchema = text(
  `the name of a world: ${worldNameRule}`,
  (name) => worldName.test(name) && name !== '.' && name !== '..',
)

const urlSchema = text(
  'the URL of a server, such as "http://127.0.0.1:4010"',
  (url) => /^https?:\/\/[^/?#@]+(\/(__greenhouse\/?)?)?$/i.test(url) && URL.canParse(url),
)

function toOrigin(url: string | URL): string {
  const given = String(url)
  checkArgument('connect', 'the first argument', given, urlSchema)
  return new URL(given).origin
}

function createRemoteWorld(calls: WorldCalls, name: string): RemoteWorld {
  const { server, change } = calls
  const { plants: plantsUrl, apps: appsUrl } = toServerBases(server, name)
  const collections = calls.facts.collections.map(
    (one) => [one.name, new ClientRecords(calls, one)] as const,
  )
  const read = async <Name extends keyof WorldSummary>(name: Name) =>
    (await calls.do('GET /worlds/{world}'))[name]
  const getters = {
    scenarios: () => read('scenarios'),
    seed: () => read('seed'),
    pinned: () => read('pinned'),
    snapshots: () => read('snapshots'),
    active: async () => (await calls.do('GET /worlds/{world}/scenarios')).active,
    assumptions: () => calls.do('GET /worlds/{world}/assumptions'),
  }
  return withGetters<RemoteWorld, keyof typeof getters>(getters, {
    name,
    plantsUrl,
    appsUrl,
    clock: createRemoteClock(calls),
    journal: new ClientJournal(calls),
    records: throwOnMisspeltNames(Object.fromEntries(collections)) as RemoteWorld['records'],
    async use(choice: ScenarioChoice, options?: Fields) {
      if (typeof options === 'string')
        rejectSecondArgument('world.use', arguments, 'Call it once for each scenario.')
      const named = typeof choice === 'string' && options ? { name: choice } : choice
      const one = options ? { ...(named as object), ...options } : choice
      assertPlain([one])
      await change('POST /worlds/{world}/scenarios', { active: [one] })
    },
    async useOnly(active) {
      assertPlain(active)
      await change('PUT /worlds/{world}/scenarios', { active })
    },
    async clear(scenario?: string) {
      rejectSecondArgument('world.clear', arguments, 'Call it once for each scenario.')
      if (scenario === undefined) await change('DELETE /worlds/{world}/scenarios')
      else await change('DELETE /worlds/{world}/scenarios/{scenario}', { scenario })
    },
    async assume(choices: string | object, value?: string) {
      checkArgument('world.assume', 'the first argument', choices, assumptionChoices)
      const values = typeof choices === 'string' ? { [choices]: value } : choices
      assertTexts(values)
      await change('PATCH /worlds/{world}/assumptions', values)
    },
    async reset(start?: WorldStart) {
      if (start === undefined) return change('POST /worlds/{world}/reset')
      assertPlain((start as WorldStart | null)?.scenarios)
      return change('PUT /worlds/{world}', start)
    },
    async snapshot(snapshot) {
      checkArgument('world.snapshot', 'the first argument', snapshot, snapshotName)
      await change('PUT /worlds/{world}/snapshots/{snapshot}', { snapshot })
    },
    async restore(snapshot) {
      checkArgument('world.restore', 'the first argument', snapshot, snapshotName)
      await change('POST /worlds/{world}/snapshots/{snapshot}/restore', { snapshot })
    },
    async toCase(title) {
      if (title !== undefined) checkArgument('world.toCase', 'the first argument', title, caseTitle)
      return calls.do('GET /worlds/{world}/case', { title })
    },
    settled: () => change('PATCH /worlds/{world}/clock', {}),
    async trigger(type: string, data?: object, options: TriggerOptions = {}) {
      checkArgument('world.trigger', 'the first argument', type, eventTypeText)
      checkOptions('world.trigger', options, triggerSchemas)
      const { account, app } = options
      const fields = {
        type,
        data: data as Fields,
        account,
        app_id: app,
      }
      return [...(await calls.do('POST /worlds/{world}/events', fields)).data]
    },
    grade: (id) => calls.do('GET /worlds/{world}/webhooks/{id}/grade', { id }),
    examine: (id) => calls.do('POST /worlds/{world}/webhooks/{id}/grade', { id }),
    async createKey(key) {
      const { secret } = await calls.do('POST /worlds/{world}/keys', key)
      return { ...key, secret }
    },
    key(secret) {
      checkArgument('world.key', 'the first argument', secret, keySchema)
      return keyIn(name, secret)
    },
    delete() {
      const deleted = calls.call('DELETE /worlds/{world}').then(() => true)
      return ifKnown('world', deleted, false)
    },
  })
}

/**
 * Getters call the server: a printer or a spread, which reads all properties in sight, must not.
 */
function withGetters<T, Name extends keyof T>(
  getters: { readonly [One in Name]: () => T[One] },
  others: Omit<T, Name>,
): T {
  for (const [name, get] of Object.entries(getters))
    Object.defineProperty(others, name, { get: get as () => unknown })
  return others as T
}

function createRemoteClock(calls: WorldCalls): Remote<Clock> {
  const read = () => calls.do('GET /worlds/{world}/clock')
  const change = (fields: ClockChange) => calls.change('PATCH /worlds/{world}/clock', fields)
  const frozen = async () => (await read()).frozen
  return withGetters<Remote<Clock>, 'frozen'>(
    { frozen },
    {
      now: async () => readDate((await read()).now),
      async advance(duration) {
        rejectSecondArgument('world.clock.advance', arguments, 'Write "5m".')
        toMilliseconds(duration)
        await change({ advance: duration })
      },
      async set(time) {
        toClockTime(time)
        await change({ now: time })
      },
      freeze: () => change({ frozen: true }),
      run: () => change({ frozen: false }),
    },
  )
}

const keySchema = text('a key, such as "key_pro"')

/** JSON would leave a value out, or the server take it for its text. */
function assertTexts(values: object): asserts values is Texts {
  for (const [id, value] of Object.entries(values))
    if (typeof value !== 'string')
      throw codedError(
        'GREENHOUSE_INVALID_ASSUMPTION',
        `Failed to set the assumption ${quote(id)} to ${showValue(value)}: expected text.`,
      )
}

/** Checks scenarios before they are sent as JSON, which leaves out a function without a word. */
function assertPlain(choices: unknown) {
  const findings: Finding[] = []
  for (const choice of [choices].flat()) if (isObject(choice)) toPlainData(choice, findings)
  for (const { path, message } of findings)
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use a scenario: ${path.join('.')}: ${message}`,
    )
}
