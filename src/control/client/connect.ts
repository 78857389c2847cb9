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
import { worldName, worldNameRule } from '../../core/http/urls.ts'
import { quote } from '../../core/text/messages.ts'
import { after } from '../../core/time/clock.ts'
import { ControlApi, type ControlApiOptions, describeVersion } from './control-api.ts'
import { type ServerFacts, WorldCalls } from './world-calls.ts'
import { signalSchema } from './journal.ts'
import { createRemoteWorld } from './world.ts'
import type { RemoteGreenhouse, RemoteWorld } from './remote.ts'

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

function toOrigin(url: string | URL): string {
  const given = String(url)
  if (/^https?:\/\/[^/?#@]+(\/(__greenhouse\/?)?)?$/i.test(given) && URL.canParse(given))
    return new URL(given).origin
  throw codedError(
    'GREENHOUSE_INVALID_VALUE',
    `Failed to call connect(): the first argument: expected the URL of a server, such as "http://127.0.0.1:4010", received ${quote(given)}.`,
  )
}
