import { codedError } from '../core/text/error-codes.ts'
import type { Grade } from '../areas/apps/webhooks/report/check-receiver.ts'
import type { EventType } from '../areas/event-types.ts'
import { type CaseQuery, type CaseSettings, toCase, toState } from '../cases/world-case.ts'
import type { Case } from '../cases/generated/case.ts'
import { scenarioList } from './options.ts'
import {
  assumptionChoices,
  caseTitle,
  eventTypeText,
  snapshotName,
  triggerSchemas,
} from './world-arguments.ts'
import {
  describeMissingKey,
  type Key,
  type NewKey,
  describeMissingAccount,
  keys,
} from '../core/accounts/accounts.ts'
import { givenOf, rejectSecondArgument, throwAtCallSite } from '../core/contract/options.ts'
import {
  checkArgument,
  checkOptions,
  type SchemasOf,
  flag,
  list,
  oneOf,
  text,
} from '../core/store/options.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import type { OwnEvents } from '../catalogue/own-names.ts'
import type { Clock } from '../core/time/clock.ts'
import { keyIn } from '../core/text/world-key.ts'
import { redact } from '../core/secrets/secrets.ts'
import { toChoice } from '../core/world/effective-settings.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Catalogue } from '../catalogue/fold-areas.ts'
import type { AssumptionValues } from './generated/known-names.ts'
import type { DeliveryReply, EventData } from './generated/wire-types.ts'
import type { Journal } from './journal.ts'
import { toWorldRecords, type WorldRecords } from '../catalogue/records.ts'
import type {
  ActiveScenario,
  AssumptionChoices,
  AssumptionId,
  ScenarioChoice,
  ScenarioName,
  ScenarioOptions,
  ScenarioText,
  TriggerOptions,
} from './names.ts'
import { examineReceiver, gradeReceiver, triggerEvent } from './webhook-tools.ts'
import { startAgain, type WorldStart } from './world-start.ts'
import { newId } from '../core/time/random.ts'

/** The things that the worlds of one Greenhouse share. @internal */
export interface WorldContext {
  readonly catalogue: Catalogue
  readonly startSchemas: SchemasOf<WorldStart>
  /** The parts of a case that come from the Greenhouse. */
  readonly caseSettings: () => CaseSettings
}

/**
 * A complete mocked service, with its own data, clock, quotas, scenarios, journal, assumptions and
 * seed. Worlds share nothing.
 * @example
 * const world = greenhouse.world('checkout')
 * world.use('expired-key')
 * world.clock.advance('90s')
 * world.journal.calls({ operation: 'plants.create' })
 */
export class World<Own extends OwnNames = NoNames> {
  readonly name: string
  readonly #core: LiveWorld
  readonly #context: WorldContext
  #records: WorldRecords | undefined

  /** @internal */
  constructor(core: LiveWorld, context: WorldContext) {
    this.name = core.name
    this.#core = core
    this.#context = context
  }

  static {
    // All methods that throw for a wrong argument: the stack of the error begins at their caller.
    throwAtCallSite(this.prototype, ['use', 'useOnly', 'clear', 'assume', 'reset', 'snapshot'])
    throwAtCallSite(this.prototype, ['restore', 'toCase', 'trigger', 'grade', 'examine'])
    throwAtCallSite(this.prototype, ['createKey', 'key'])
  }

  /** @internal */
  get core(): LiveWorld {
    return this.#core
  }

  get clock(): Clock {
    return this.#core.clock
  }

  /** The requests that the world received, and its replies. */
  get journal(): Journal {
    return this.#core.journal
  }

  /** The world's data by collection: `world.records.plants.all()`. */
  get records(): WorldRecords<Own> {
    return (this.#records ??= toWorldRecords(this.#core))
  }

  /** The names of the active scenarios, in the order of their activation. */
  get scenarios(): readonly string[] {
    return this.#core.scenarios.active.map(({ name }) => name)
  }

  /**
   * The active scenarios as a value of the header X-Greenhouse-Scenario:
   * `rate-limited-plan:window=day, slow`. Empty when no scenario is active. Inline scenarios don't
   * fit in a header and are left out.
   */
  get scenario(): string {
    const named = this.#core.scenarios.active.filter(({ inline }) => inline === undefined)
    return named.map(({ text }) => text).join(', ')
  }

  /**
   * The active scenarios, in the form that `useOnly` takes: each with all its options, and inline
   * ones as you wrote them.
   */
  get active(): readonly ActiveScenario[] {
    return this.#core.scenarios.active.map((one) => toChoice(one) as ActiveScenario)
  }

  /**
   * Switches a scenario on until `clear` or `reset`: a bundled one, one of your own, or an inline
   * one. An inline scenario with a `title` is named after it, and replaces one with the same title;
   * without a title, its name is `inline-1` and so on.
   * @example
   * world.use('expired-key')
   * world.use('slow', { ms: 800, on: 'apps.*' }) // the same as world.use('slow:ms=800,on=apps.*')
   * world.use({ respond: [{ on: 'apps.list', status: 500, times: 1 }] })
   * world.use({ title: 'slow apps', fault: [{ kind: 'delay', on: 'apps.*', fixed: '2s' }] })
   * world.clear('inline-slow-apps')
   * @throws RangeError when no scenario has that name, or for a mistake in the options or the
   * inline scenario; UnsupportedFaultError for a fault that MSW can't produce.
   */
  use<Text extends ScenarioText<Own>>(
    scenario: Text | Exclude<ScenarioChoice<Own>, string>,
    options?: ScenarioOptions<Text, Own>,
  ): void {
    if (typeof options === 'string')
      rejectSecondArgument('world.use', arguments, 'Call it once for each scenario.')
    this.#core.scenarios.use([scenario], { options })
  }

  /**
   * Replaces the active scenarios with these. @throws RangeError when one of them can't be used;
   * then nothing changes.
   */
  useOnly(choices: readonly ScenarioChoice<Own>[]): void {
    checkArgument('world.useOnly', 'the first argument', choices, scenarioList)
    this.#core.scenarios.use(choices, { isOnly: true })
  }

  /**
   * Switches a scenario off, or all scenarios without `name`. @throws RangeError when no scenario
   * has that name.
   */
  clear(name?: ScenarioName<Own> | `inline-${string}`): void {
    rejectSecondArgument('world.clear', arguments, 'Call it once for each scenario.')
    this.#core.scenarios.clear(name)
  }

  /**
   * Changes an assumption: how the world behaves where the reference leaves a question open.
   * @example world.assume('plants.delete.unknown', '204')
   * @throws RangeError for an unknown id or value.
   */
  assume<Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]): void
  /**
   * Changes several assumptions, by id. @throws RangeError for an unknown id or value; then nothing
   * changes.
   */
  assume(values: AssumptionChoices): void
  assume(choices: string | AssumptionChoices, value?: string): void {
    checkArgument('world.assume', 'the first argument', choices, assumptionChoices)
    this.#core.scenarios.assume(typeof choices === 'string' ? { [choices]: value } : choices)
  }

  /** The value of every assumption, by id. */
  get assumptions(): Readonly<AssumptionValues> {
    return Object.fromEntries(
      this.#core.effectiveSettings.assumptions,
    ) as unknown as AssumptionValues
  }

  /**
   * The seed of all random values: ids, and which requests a scenario with a probability changes.
   */
  get seed(): number {
    return this.#core.seed
  }

  /**
   * True if Greenhouse must not drop the world to make room for others. False by default, true for
   * the world `default`.
   */
  get pinned(): boolean {
    return this.#core.pinned
  }

  set pinned(pinned) {
    this.#core.pinned = pinned
  }

  /**
   * Resets the world: data, quotas, clock, scenarios, journal, assumptions, seed, snapshots. @param
   * start replaces options of `createGreenhouse` for this world: `{ seed: 2, scenarios: ['slow']
   * }`. @throws RangeError or TypeError when a field of `start` is wrong; then nothing changes.
   */
  reset(start: WorldStart<Own> = {}): void {
    checkOptions('world.reset', start, this.#context.startSchemas)
    startAgain(this.#core, start as WorldStart, this.#context.catalogue.definitions)
  }

  /**
   * Saves the world under a name, without its journal. A snapshot with the same name is replaced.
   * @example
   * world.snapshot('before')
   * world.records.plants.replace([])
   * world.restore('before')
   */
  snapshot(name: string): void {
    checkArgument('world.snapshot', 'the first argument', name, snapshotName)
    this.#core.state.saved.add(name)
  }

  /**
   * Goes back to a snapshot. The journal stays as it is. @throws RangeError when no snapshot has
   * that name.
   */
  restore(name: string): void {
    checkArgument('world.restore', 'the first argument', name, snapshotName)
    this.#core.state.saved.restore(name)
  }

  /** The names of the snapshots. */
  get snapshots(): readonly string[] {
    return [...this.#core.state.saved.named.keys()]
  }

  /**
   * Returns this world as a case: where it started, what was asked and done, and what it replied.
   * Keys are placeholders. `toCaseText` writes it as YAML; `replayCase` plays it again.
   * @param title what it shows, in one line.
   * @example writeFileSync('renewal.case.yaml', toCaseText(world.toCase()))
   */
  toCase(title?: string): Case {
    rejectSecondArgument(
      'world.toCase',
      arguments,
      'For a part of a world, call greenhouse-mock case save --until.',
    )
    if (title !== undefined) checkArgument('world.toCase', 'the first argument', title, caseTitle)
    return this.writeCase({ title })
  }

  /** Returns the present state as a case without steps, with its secrets. @internal */
  toState(): Case {
    return toState(this.#core, this.#context.caseSettings())
  }

  /** Like `toCase`, with the requests that a query names. @internal */
  writeCase(query: CaseQuery): Case {
    return toCase(this.#core, this.#context.caseSettings(), query)
  }

  /**
   * Resolves when all work that is due now is done: purchases settled, deployments live, webhooks
   * delivered.
   */
  settled(): Promise<void> {
    return this.#core.settled()
  }

  /**
   * Sends an event to every webhook that subscribes to it. Returns the deliveries; `await
   * world.settled()` waits for them.
   * @param data the event's `data`. By default, it is generated from the world's records.
   * @example await world.trigger('message.sent', undefined, { account: 'acct_pro' })
   * @throws RangeError for an unknown type, account or app, and for an event of your own without
   * data.
   */
  async trigger<Type extends EventType | keyof OwnEvents>(
    type: Type,
    data?: Readonly<(EventData & OwnEvents)[Type]> | Readonly<Record<string, unknown>>,
    options: TriggerOptions = {},
  ): Promise<DeliveryReply[]> {
    checkArgument('world.trigger', 'the first argument', type, eventTypeText)
    checkOptions('world.trigger', options, triggerSchemas)
    return this.#core.clock.during(() => {
      const { eventTypes } = this.#context.catalogue
      const made = triggerEvent(this.#core, eventTypes, { type, data }, options)
      this.#core.recordChange({
        trigger: givenOf({
          type,
          data,
          ...options,
        }),
      })
      return made
    })
  }

  /**
   * Grades a webhook's receiver by its responses so far. @throws RangeError for an unknown webhook.
   */
  grade(webhook: string): Grade {
    return gradeReceiver(this.#core, webhook)
  }

  /**
   * Sends valid, duplicate, forged and stale requests to a webhook's receiver, and grades its
   * responses.
   * @example expect((await world.examine(webhook.id)).result).toBe('passed')
   * @throws RangeError for an unknown webhook.
   */
  async examine(webhook: string): Promise<Grade> {
    const grade = await examineReceiver(this.#core, webhook)
    this.#core.state.history.breakOff('a receiver was examined')
    return grade
  }

  /**
   * Creates an API key for an account.
   * @example const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
   * @throws RangeError for an unknown account; TypeError when a field is wrong.
   */
  async createKey(key: NewKey): Promise<Readonly<Key>> {
    return createKey(this.#core, key)
  }

  /**
   * Returns the key with the world's name, which selects this world at any base URL:
   * `world.key('key_pro')` is `'key_pro@checkout'`. In the world `default` it returns the key
   * unchanged. @throws RangeError for an unknown key.
   */
  key(secret: string): string {
    const missing = describeMissingKey(this.#core, secret)
    if (missing === undefined) return keyIn(this.name, secret)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to call world.key(): ${missing} To send another one, write it without world.key().`,
    )
  }

  /** Removes the world's secrets from a text. @internal */
  redact(text: string): string {
    return redact(text, this.#core.secretFinders())
  }
}

/** @throws RangeError for an unknown account; TypeError when a field is wrong. */
function createKey(world: LiveWorld, key: NewKey): Readonly<Key> {
  const schemas: SchemasOf<NewKey> = {
    account: text('the id of an account, such as "acct_pro"'),
    scopes: list('a list of scopes', oneOf(world.template.scopes)),
    expires_at: text('a time in ISO 8601, such as "2026-01-31T12:00:00Z"'),
    revoked: flag,
  }
  checkOptions('world.createKey', key, schemas)
  checkArgument('world.createKey', 'account', key.account, schemas.account)
  const missing = describeMissingAccount(world, key.account)
  if (missing !== undefined)
    throw codedError('GREENHOUSE_UNKNOWN_NAME', `Failed to create a key: ${missing}`)
  const stored = world.collection(keys)
  const created = stored.create({
    ...key,
    secret: newId(stored, world.random('key'), 'key'),
  })
  world.recordChange({ create_key: created })
  return created
}
