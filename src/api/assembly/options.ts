import {
  checkArgument,
  flag,
  list,
  object,
  scenarioList,
  section,
  text,
  time,
  wholeNumber,
  type RulesFor,
} from '../../core/contract/options.ts'
import { isOrigin, isWrittenHost } from '../../core/http/urls.ts'
import type { Greenhouse, GreenhouseOptions } from '../greenhouse.ts'
import type { WorldStart } from '../world-start.ts'
import { type Catalogue, missingCollections } from './make-catalogue.ts'

const bytes = wholeNumber('a whole number of bytes, 0 or more', 0, Infinity)
const texts = (value: unknown) => typeof value === 'string'

const parts = (name: string, define: string) =>
  list(`a list of what ${define}() returns`, (value) => (value as { readonly part?: unknown } | null)?.part === name)

export const additionRules = {
  operations: parts('operation', 'defineOperation'),
  collections: parts('collection', 'defineCollection'),
  plugins: parts('plugin', 'definePlugin'),
  plans: list(
    'a list of plans, such as [{ id: "pro", minute: 10 }]',
    (plan) => typeof plan === 'object' && plan !== null,
  ),
}

export const fixturesRule = object('an object of records by collection, such as loadFixtures("./fixtures")')

const baseUrl = text(
  'an http or https URL, such as "https://api.example.com/v1"',
  (url) => /^https?:/i.test(url) && URL.canParse(url),
)

const proxyRules = {
  plants: baseUrl,
  apps: baseUrl,
  only: {
    takes: 'the id of an operation, a glob such as "plants.*", or a list of them',
    accepts: (value: unknown) => [value].flat().every(texts),
  },
  fallback: text('"mock"', (value) => value === 'mock'),
  record: text('a folder, such as "./learnt"'),
  ca: text('a file, such as "./ca.pem"'),
  insecure: flag,
  timeout: wholeNumber('a whole number of milliseconds, 1 or more', 1, 3_600_000),
} satisfies RulesFor<NonNullable<GreenhouseOptions['proxy']>>

export const greenhouseRules = {
  fixtures: fixturesRule,
  scenarios: object('an object of scenarios by name, such as loadScenarios("./scenarios")'),
  seed: wholeNumber('a whole number'),
  now: time,
  frozen: flag,
  assumptions: object('an object of assumptions by id, such as { "plants.delete.unknown": "204" }'),
  use: scenarioList,
  cors: list(
    "a list of origins (scheme, host and port, as browsers send them), such as ['https://app.example.com'] or ['*']",
    (origin) => origin === '*' || (typeof origin === 'string' && isOrigin(origin)),
  ),
  trace: flag,
  strict: flag,
  bodyLimit: bytes,
  maxWorlds: wholeNumber('a whole number, 1 or more', 1, Infinity),
  journal: section({
    entries: wholeNumber('a whole number, 1 or more', 1, Infinity),
    bytes,
    memory: bytes,
  } satisfies RulesFor<NonNullable<GreenhouseOptions['journal']>>),
  dataMemory: bytes,
  areas: list("a list of areas: ['plants'], ['apps'] or both", texts),
  case: object("a case, such as loadCase('./renewal.case.yaml')"),
  ...additionRules,
  hooks: object('an object of functions, such as { onReply: console.log }'),
  persist: text("'session' or 'local'", (value) => value === 'session' || value === 'local'),
  proxy: section(proxyRules),
  webhooks: section({
    allow: list(
      "a list of hosts without schemes and ports, such as ['hooks.example.com']",
      (host) => typeof host === 'string' && isWrittenHost(host),
    ),
  } satisfies RulesFor<NonNullable<GreenhouseOptions['webhooks']>>),
} satisfies RulesFor<GreenhouseOptions>

export function createStartRules(catalogue: Catalogue): RulesFor<WorldStart> {
  const below = Object.fromEntries(Object.keys(catalogue.definitions).map((name) => [name, list('a list of records')]))
  for (const [name, area] of missingCollections(catalogue))
    below[name] = {
      takes: `nothing, because this Greenhouse does not have the area "${area}"`,
      accepts: () => false,
    }
  const { seed, frozen, now, use: scenarios, assumptions } = greenhouseRules
  const records = { ...object('an object of records by collection, such as { plants: [] }'), below }
  return { seed, frozen, now, scenarios, assumptions, records }
}

export const scenarioQueryRules = {
  search: text('at most 1,000 characters of words, such as "429 retry"', (words) => words.length <= 1_000),
}

const greenhouseRule = {
  takes: 'a Greenhouse that createGreenhouse() returned',
  accepts: (value: unknown) => typeof (value as Greenhouse | undefined)?.handle === 'function',
}

/** @param call the function that a user called. @throws TypeError */
export function assertGreenhouse(call: string, greenhouse: unknown): void {
  checkArgument(call, 'the first argument', greenhouse, greenhouseRule)
}

/** Checks that a Greenhouse has every part, because the control API and the panel need them. @throws TypeError for a missing part. */
export function assertAllParts(call: string, greenhouse: Greenhouse): void {
  assertGreenhouse(call, greenhouse)
  const { missingParts } = greenhouse
  if (missingParts.length === 0) return
  throw new TypeError(
    `Failed to call ${call}(): it takes a Greenhouse with every part, and this one was created without ${missingParts.join(', ')}. Import createGreenhouse from 'greenhouse-mock', which has all of them, or pass it what 'greenhouse-mock/${missingParts[0]}' exports.`,
  )
}
