import * as z from 'zod/mini'
import { anyText } from '../core/contract/zod.ts'
import { givenOf } from '../core/contract/options.ts'
import {
  checkArgument,
  custom,
  expecting,
  flag,
  list,
  object,
  oneOf,
  type SchemasOf,
  section,
  shortText,
  text,
  wholeNumber,
} from '../core/store/options.ts'
import { isOrigin, isWrittenHost, readTarget } from '../core/http/urls.ts'
import type { AreaName } from '../areas/event-types.ts'
import type { ProxyOptions } from '../proxy/message.ts'
import type { Case } from '../cases/generated/case.ts'
import { type Additions, additionSchemas } from '../custom/definitions.ts'
import type { Fixtures } from '../fixtures/check.ts'
import type { ExtendingFixtures } from '../fixtures/resolve.ts'
import type { NoNames, OwnNames, WrittenScenarios } from '../catalogue/inferred-names.ts'
import type { AssumptionChoices, ScenarioChoice } from './names.ts'

/** The options that `reload` replaces. */
export type ReloadOptions = Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'>

/** The options of `createGreenhouse`. All of them are optional. */
export interface GreenhouseOptions<Own extends OwnNames = NoNames> extends Additions {
  /**
   * The areas to serve: the plant store, app management, or both (the default). Requests to the
   * other area get 404; its data stays.
   */
  areas?: readonly AreaName[] | undefined
  /**
   * The data that every world starts with: records by collection, in the form of fixture files. The
   * bundled fixtures by default; `extends: 'default'` adds to them.
   */
  fixtures?: Fixtures | ExtendingFixtures | undefined
  /**
   * Your own scenarios, by name. They are added to the bundled ones; one with the same name
   * replaces a bundled one.
   */
  scenarios?: WrittenScenarios | undefined
  /**
   * Where every world starts: as the world of a case did, before its steps. Other options win over
   * it; `fixtures` is refused next to it. `replayCase` takes the steps too.
   */
  case?: Case | undefined
  /**
   * Keeps the data, clock, scenarios and assumptions of the world `default` in the storage of the
   * page, so that they survive a reload. With `local`, they survive the tab, and all tabs of the
   * origin agree. Quotas and the journal begin again.
   * @example createGreenhouse({ persist: 'session' })
   */
  persist?: 'session' | 'local' | undefined
  /** The seed of all random values. The same seed gives the same ids and faults. 1 by default. */
  seed?: number | undefined
  /**
   * Where the clock of every world starts: ISO 8601, or milliseconds since 1970. The machine's time
   * by default.
   */
  now?: string | number | undefined
  /** True if the clock of every world is frozen at the start. False by default. */
  frozen?: boolean | undefined
  /** Assumptions of every world, by id: `{ 'plants.delete.unknown': '204' }`. */
  assumptions?: AssumptionChoices | undefined
  /**
   * Scenarios that are active in every world from the start: `['expired-key', 'slow:ms=800', {
   * name: 'rate-limited-plan', window: 'day' }]`.
   */
  use?: readonly ScenarioChoice<Own>[] | undefined
  /**
   * Origins whose pages may call the service, in addition to pages served from this machine. `'*'`
   * allows all. None by default.
   */
  cors?: readonly string[] | undefined
  /** True if replies carry the header X-Greenhouse. True by default. */
  trace?: boolean | undefined
  /**
   * True if a request that breaks the contract changes nothing and gets a 400 that lists its
   * violations. False by default.
   */
  strict?: boolean | undefined
  /** The largest request body, in bytes. 1 MiB by default. */
  bodyLimit?: number | undefined
  /**
   * The maximum number of worlds. Beyond it, Greenhouse drops the least recently used world that is
   * not pinned. 10,000 by default.
   */
  maxWorlds?: number | undefined
  /**
   * `entries`: the maximum number of entries in the journal of a world, 1,000 by default. Beyond
   * it, the oldest ones are dropped.
   */
  journal?: { entries?: number | undefined } | undefined
  /**
   * The maximum size of what requests leave in all worlds together, data and journals, in bytes (an
   * estimate). By default 512 MiB, or an eighth of the machine's memory if that is less. Beyond it,
   * Greenhouse drops journals of idle worlds, then idle worlds, and then refuses writes. The least
   * recently used ones go first; worlds that are pinned or followed are not idle.
   */
  memory?: number | undefined
  /**
   * A real service to stand in front of: scenarios, the journal and the judgement are those of
   * Greenhouse, the replies are its.
   */
  proxy?: ProxyOptions | undefined
  /**
   * `allow`: the hosts that may receive webhooks, in addition to the loopback addresses of this
   * machine.
   */
  webhooks?: { allow?: readonly string[] | undefined } | undefined
}

/** Returns the base URLs of the real service, by area. */
export function targetsOf({ proxy }: GreenhouseOptions): Record<string, string> | undefined {
  return (
    proxy &&
    givenOf({
      plants: proxy.plants,
      apps: proxy.apps,
    })
  )
}

const bytes = wholeNumber('a whole number of bytes, 0 or more', 0, Infinity)
const count = wholeNumber('a whole number, 1 or more', 1, Infinity)

export const fixturesSchema = object(
  'an object of records by collection, such as loadFixtures("./fixtures")',
)

const baseUrl = text(
  'an http or https URL without a query and credentials, such as "https://api.example.com/v1"',
  (url) => readTarget(url) !== undefined,
)

export const proxySchemas: SchemasOf<ProxyOptions> = {
  plants: baseUrl,
  apps: baseUrl,
  only: z.union(
    [anyText, z.array(anyText)],
    expecting('the id of an operation, a glob such as "plants.*", or a list of them'),
  ),
  fallback: oneOf(['mock']),
  record: text('a folder, such as "./learnt"'),
  ca: text('a file, such as "./ca.pem"'),
  insecure: flag,
  timeout: wholeNumber('a whole number of milliseconds from 1 to 3600000', 1, 3_600_000),
}

export const journalSchemas: SchemasOf<NonNullable<GreenhouseOptions['journal']>> = {
  entries: count,
}

export const webhookHost = text(
  'a host name or an address, without a scheme or a port, such as "hooks.example.com"',
  isWrittenHost,
)
export const webhookSchemas: SchemasOf<NonNullable<GreenhouseOptions['webhooks']>> = {
  allow: list(
    "a list of hosts without schemes and ports, such as ['hooks.example.com']",
    webhookHost,
  ),
}

export const origin = text(
  'an origin (scheme, host and port, as browsers send it), or *, such as "https://app.example.com"',
  (given) => given === '*' || isOrigin(given),
)

/** A point in time. The format of a string is checked where the option is used. */
const time = z.union(
  [anyText, z.number()],
  expecting('a time: ISO 8601, such as "2026-01-31T12:00:00Z", or milliseconds since 1970'),
)

export const scenarioList = list(
  "a list of scenarios, such as ['slow', 'rate-limited-plan:window=day']",
)

export const greenhouseSchemas = {
  fixtures: fixturesSchema,
  scenarios: object(
    'an object of your scenarios by name, such as loadScenarios("./scenarios") (the option "use" switches some on)',
  ),
  seed: wholeNumber('a whole number, such as 7'),
  now: time,
  frozen: flag,
  assumptions: object('an object of assumptions by id, such as { "plants.delete.unknown": "204" }'),
  use: scenarioList,
  cors: list(
    "a list of origins (scheme, host and port, as browsers send them), such as ['https://app.example.com'] or ['*']",
    origin,
  ),
  trace: flag,
  strict: flag,
  bodyLimit: bytes,
  maxWorlds: count,
  journal: section(journalSchemas),
  memory: bytes,
  areas: list("a list of areas: ['plants'], ['apps'] or both", text('the name of an area')),
  case: object("a case, such as loadCase('./renewal.case.yaml')"),
  ...additionSchemas,
  hooks: object('an object of functions, such as { onReply: console.log }'),
  persist: oneOf(['session', 'local']),
  proxy: section(proxySchemas),
  webhooks: section(webhookSchemas),
} satisfies SchemasOf<GreenhouseOptions>

export const scenarioQuerySchemas = {
  search: shortText('some words, such as "429 retry"', () => true),
}

const greenhouseSchema = custom(
  'a Greenhouse that createGreenhouse() returned',
  (value) => typeof (value as { handle?: unknown } | undefined)?.handle === 'function',
)

/** @param call the function that a user called. @throws TypeError */
export function assertGreenhouse(call: string, greenhouse: unknown): void {
  checkArgument(call, 'the first argument', greenhouse, greenhouseSchema)
}
