import { definitions } from './catalogue.ts'
import { accounts, keys, scopes, type Key } from '../core/accounts/accounts.ts'
import { examine } from '../areas/apps/webhooks/report/examine.ts'
import { grade, type Grade } from '../areas/apps/webhooks/report/grade.ts'
import { webhooks } from '../areas/apps/webhooks/schemas/webhook.ts'
import type { Clock } from '../core/time/clock.ts'
import type { EventType } from '../areas/event-types.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import {
  checkArgument,
  checkOptions,
  flag,
  list,
  scenarioList,
  text,
  type RulesFor,
} from '../core/definitions/options.ts'
import type { AssumptionValues, BundledScenarios } from './known-names.ts'
import type { ActiveScenario, AssumptionChoices, AssumptionId, Journal, ScenarioChoice, ScenarioName } from './names.ts'
import type { WorldRecords } from './records.ts'
import { trigger, type ShownDelivery, type TriggerOptions } from './trigger.ts'
import { prepareStart, type WorldStart } from './world-start.ts'

/** A whole service of its own: data, clock, quotas, scenarios, journal, assumptions, seed. */
export interface World {
  readonly name: string
  readonly clock: Clock
  readonly journal: Journal
  readonly records: WorldRecords
  /** The names of the active scenarios, in the order of their activation. */
  readonly scenarios: readonly string[]
  /** What is active, as the header X-Greenhouse-Scenario would name it: `rate-limited-plan:window=day, slow`; empty when nothing is. */
  readonly scenario: string
  /** The active scenarios with all their options, as `useOnly` takes them. */
  readonly active: readonly ActiveScenario[]
  /**
   * Switches a scenario on until it is cleared: `use('slow', { ms: 800 })`, `use('slow:ms=800')`, `use({ name: 'slow', ms: 800 })`.
   * @throws RangeError when there is none of that name or an option is wrong.
   */
  use<Name extends keyof BundledScenarios>(name: Name, options?: Readonly<BundledScenarios[Name]>): void
  use(scenario: ScenarioChoice, options?: Readonly<Record<string, unknown>>): void
  /** Puts these scenarios in place of the active ones. @throws RangeError when one can't be used; then nothing changed. */
  useOnly(choices: readonly ScenarioChoice[]): void
  /** Switches a scenario off, or all of them; one that is off stays off. @throws RangeError when there is none of that name. */
  clear(name?: ScenarioName): void
  /** Answers a question that the reference leaves open in another way. @throws RangeError for an unknown id or value. */
  assume<Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]): void
  /** Answers several at once, by id. @throws RangeError when one of them can't be; then nothing changed. */
  assume(values: AssumptionChoices): void
  /** The value of every assumption, by id. */
  readonly assumptions: Readonly<AssumptionValues>
  /** What chance comes from. */
  readonly seed: number
  /** Whether it stays when worlds are dropped to make room for others. */
  pinned: boolean
  /**
   * Goes back to the start in everything: data, quotas, clock, scenarios, journal, assumptions, seed, snapshots.
   * @param start what differs from the start this time. @throws RangeError, or TypeError for a record, when something of it can't be; then nothing changed.
   */
  reset(start?: WorldStart): void
  /** Remembers everything but the journal under a name. */
  snapshot(name: string): void
  /** Goes back to a snapshot; the journal goes on. @throws RangeError when there is none of that name. */
  restore(name: string): void
  /** The names of the snapshots that were taken. */
  readonly snapshots: readonly string[]
  /** Resolves once all that is due is done: purchases settled, deployments live, deliveries made. */
  settled(): Promise<void>
  /**
   * Lets an event happen, such as `message.sent`, with data of the world's records unless there is some. Gives the deliveries
   * that webhooks get; `settled` waits for them to be made. @throws RangeError for an unknown type, account or app.
   */
  trigger(type: EventType, data?: Readonly<Record<string, unknown>>, options?: TriggerOptions): Promise<ShownDelivery[]>
  /** How a webhook's receiver has done so far. @throws RangeError when there is no such webhook. */
  grade(webhook: string): Grade
  /** Examines a webhook's receiver with good, duplicate, forged and stale requests, and grades it. @throws RangeError when there is no such webhook. */
  examine(webhook: string): Promise<Grade>
  /** Makes a new key for an account. @throws RangeError when there is no such account, TypeError when a field is wrong. */
  createKey(key: Omit<Key, 'secret'>): Promise<Readonly<Key>>
  /** A key that names this world whatever the base URL: `'key_pro@checkout'`; in the world `default` the key itself. */
  key(secret: string): string
}

/** What a user sees of a world. */
export function toPublicWorld(world: LiveWorld): World {
  return {
    name: world.name,
    get clock() {
      return world.clock
    },
    get journal() {
      return world.journal
    },
    records: toRecords(world),
    get scenarios() {
      return world.overlay.scenarios.map((scenario) => scenario.name)
    },
    get scenario() {
      return world.overlay.scenarios.map((scenario) => scenario.text).join(', ')
    },
    get active() {
      return world.active.map(({ name, options }) => ({ name, ...options }))
    },
    use: (choice: ScenarioChoice, options?: Readonly<Record<string, unknown>>) => world.use(choice, options),
    useOnly(choices) {
      checkArgument('world.useOnly', 'the first argument', choices, scenarioList)
      world.useOnly(choices)
    },
    clear: (name) => world.clear(name),
    assume: (choices: string | AssumptionChoices, value?: string) =>
      world.assume((typeof choices === 'string' ? { [choices]: value } : choices) as Record<string, string>),
    get assumptions() {
      return Object.fromEntries(world.overlay.assumptions) as unknown as AssumptionValues
    },
    get seed() {
      return world.seed
    },
    get pinned() {
      return world.pinned
    },
    set pinned(pinned) {
      world.pinned = pinned
    },
    reset: (start) => prepareStart(world, start)(),
    snapshot: (name) => world.snapshot(name),
    restore: (name) => world.restore(name),
    get snapshots() {
      return world.snapshots
    },
    settled: () => world.settled(),
    async trigger(type, data, options = {}) {
      checkArgument('world.trigger', 'the first argument', type, eventTypeText)
      checkOptions('world.trigger', options, triggerRules)
      return trigger(world, type, data, options)
    },
    grade: (id) => grade(world, findWebhook(world, id)),
    async examine(id) {
      await examine(world, findWebhook(world, id))
      return grade(world, findWebhook(world, id))
    },
    createKey: (key) => createKey(world, key),
    key: (secret) => (world.name === 'default' ? secret : `${secret}@${world.name}`),
  }
}

function findWebhook(world: LiveWorld, id: string) {
  const webhook = world.collection(webhooks).get(id)
  if (webhook) return webhook
  throw new RangeError(
    `Failed to grade a receiver: there is no webhook ${quote(id)}.${suggest(
      id,
      world
        .collection(webhooks)
        .all()
        .map((known) => known.id),
    )}`,
  )
}

function toRecords(world: LiveWorld): WorldRecords {
  const records = {}
  for (const [name, definition] of Object.entries(definitions))
    Object.defineProperty(records, name, { enumerable: true, get: () => world.collection(definition as never) })
  return records as WorldRecords
}

const eventTypeText = text('the type of an event, such as "plant.created"', () => true)

const triggerRules: RulesFor<TriggerOptions> = { account: text('the id of an account'), app: text('the id of an app') }

const newKeyRules: RulesFor<Omit<Key, 'secret'>> = {
  account: text('the id of an account, such as "acct_pro"'),
  scopes: list(`a list of scopes (${scopes.join(', ')})`, (scope) => scopes.includes(scope as never)),
  expires_at: text('a time in ISO 8601, such as "2026-01-31T12:00:00Z"'),
  revoked: flag,
}

async function createKey(world: LiveWorld, key: Omit<Key, 'secret'>): Promise<Readonly<Key>> {
  checkOptions('world.createKey', key, newKeyRules)
  checkArgument('world.createKey', 'the option "account"', key.account, newKeyRules.account)
  const known = world
    .collection(accounts)
    .all()
    .map((account) => account.id)
  if (!known.includes(key.account))
    throw new RangeError(
      `Failed to make a key: there is no account ${quote(key.account)}.${suggest(key.account, known)}`,
    )
  const stored = world.collection(keys)
  let secret: string
  do secret = world.random('key').id('key')
  while (stored.get(secret))
  return stored.create({ ...key, secret })
}
