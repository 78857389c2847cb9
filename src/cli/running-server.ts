import { flagsOf } from '../api/config/flag.ts'
import { settings } from '../api/config/settings.ts'
import type { Answers, RouteName } from '../control/actions/index.ts'
import { directFetch } from '../control/client/direct-fetch.ts'
import { ForeignServerError } from '../control/client/errors.ts'
import {
  type ActionFields,
  type CallOptions,
  ControlApi,
  describeVersion,
} from '../control/client/control-api.ts'
import { worldName, worldNameRule } from '../core/http/urls.ts'
import { text } from '../core/store/options.ts'
import {
  type ArgumentsOf,
  type Flags,
  jsonFlag,
  standardServer,
  toLocalUrl,
} from './flags/flags.ts'
import { printError, type Terminal } from './terminal.ts'

const standardWorld = 'default'

const serverUrl = text(
  'a URL, such as http://127.0.0.1:4010',
  (given) => /^https?:\/\//i.test(given) && URL.canParse(given),
)

/** Names but `.` and `..`, which URL parsers remove. */
const nameOfWorld = text(
  `${worldNameRule}, such as checkout`,
  (given) => worldName.test(given) && !/^\.\.?$/.test(given),
)

export const serverFlags = {
  server: {
    value: serverUrl,
    variable: 'GREENHOUSE_URL',
    describe: 'URL of the running server',
    defaultDescription: `GREENHOUSE_URL, or GREENHOUSE_HOST and GREENHOUSE_PORT, or ${standardServer}`,
  },
  world: {
    value: nameOfWorld,
    variable: 'GREENHOUSE_WORLD',
    describe: 'World of the server',
    defaultDescription: `GREENHOUSE_WORLD, or ${standardWorld}`,
  },
  token: {
    ...flagsOf(settings).token,
    describe: 'Token of the server',
    defaultDescription: 'GREENHOUSE_TOKEN',
  },
} satisfies Flags

export const callFlags = { ...serverFlags, ...jsonFlag }

export class RemoteServer extends ControlApi {
  readonly world: string
  readonly #terminal: Terminal
  #isChecked: Promise<void> | undefined

  constructor(args: ArgumentsOf<typeof serverFlags>, terminal: Terminal) {
    const { server = toLocalUrl(terminal), world = standardWorld, token } = args
    const advice = {
      server: 'name another server with --server or GREENHOUSE_URL',
      token: 'give it with --token or GREENHOUSE_TOKEN',
    }
    super(server, {
      world,
      token: () => token,
      advice,
      fetch: directFetch,
    })
    this.world = world
    this.#terminal = terminal
  }

  override async call<Route extends RouteName>(
    route: Route,
    fields?: ActionFields<Route>,
    options?: CallOptions,
  ): Promise<Answers[Route]> {
    await (this.#isChecked ??= this.#checkVersion())
    return super.call(route, fields, options)
  }

  async #checkVersion() {
    const health = await super.call('GET /health').catch((error: unknown) => {
      if (error instanceof ForeignServerError) throw error
      // The command's own call says what is wrong.
      return undefined
    })
    if (health === undefined) return
    if (health.status !== 'ok') throw this.toForeign(200)
    // A server gives its version only with the token.
    const { version } = health
    const warning = version && describeVersion(this.server, version)
    if (warning) printError(this.#terminal, `Greenhouse: ${warning}\n`)
  }
}
