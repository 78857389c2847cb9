import { codedError, type GreenhouseErrorCode } from '../core/text/error-codes.ts'
import { additionSchemas } from '../api/assembly/options.ts'
import type { Additions } from '../custom/definitions.ts'
import { splitWorld } from '../core/pipeline/router.ts'
import { sendAgain } from '../areas/apps/webhooks/delivery/engine.ts'
import { deliveries } from '../areas/apps/webhooks/schemas.ts'
import type { EventType } from '../areas/event-types.ts'
import { accounts, type Key } from '../core/accounts/accounts.ts'
import type { CollectionDefinition, RecordKey } from '../core/store/collection.ts'
import { markSent, type Reply } from '../core/http/reply.ts'
import { splitTarget } from '../core/http/request.ts'
import type { WebhookAnswer } from '../core/http/webhook-transport.ts'
import { countOf, describeProblem, quote, toVisible } from '../core/text/messages.ts'
import { checkOptions, type SchemasOf, wholeNumber } from '../core/store/options.ts'
import { toClockTime } from '../core/time/time-text.ts'
import type { ReceivedAnswer } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { formOf } from '../fixtures/forms.ts'
import { createGreenhouse } from '../api/assembly/create.ts'
import type { World } from '../api/world.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { refillQuota } from '../api/inspect/accounts.ts'
import { applyState, requireCollection, writeRequest } from './world-case.ts'
import {
  assertCase,
  findReplyDifferences,
  type ReplyDifference,
  splitRequest,
  toBodyBytes,
  withoutReply,
} from './format.ts'
import { CaseSecrets } from './secrets.ts'
import type { Case, CaseStep } from './generated/case.ts'

/** A difference between a reply and the one in the case, with its step. */
export interface CaseDifference extends ReplyDifference {
  /** The number of the step; the first is 1. */
  readonly step: number
  /** `GET /v1/apps` */
  readonly request: string
}

/** The world of a case after all its steps. */
export interface ReplayedCase {
  readonly greenhouse: Greenhouse
  readonly world: World
  /** The number of requests. */
  readonly requests: number
  /** The steps, with the replies that they got this time. */
  readonly steps: readonly CaseStep[]
  /** The differences of the first reply that is not as in the case; empty if there is none. */
  readonly differences: readonly CaseDifference[]
  /** The last reply as the service sent it, with its faults of the wire. @internal */
  readonly last?: Reply | undefined
}

/**
 * The options of `replayCase`: operations, collections, plug-ins and plans of your own, if the
 * case's world had them.
 */
export interface ReplayOptions extends Omit<Additions, 'hooks'> {
  /**
   * Stops before this step, at its time, with a frozen clock. The first step is 1. By default, all
   * steps are repeated.
   */
  readonly before?: number | undefined
}

const replaySchemas: SchemasOf<ReplayOptions> = {
  before: wholeNumber('the number of a step, 1 or more', 1, Infinity),
  ...additionSchemas,
}

/** Thrown for a step that can't be repeated. */
export class CaseStepError extends Error {
  override name = 'CaseStepError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_FAILED_STEP'
}

/**
 * Starts the world of a case, repeats its steps, and compares the replies. Nothing leaves the
 * process: receivers of webhooks answer as they did. Close the Greenhouse when you are done.
 * @example
 * const { differences } = await replayCase(loadCase('renewal.case.yaml'))
 * @throws DataError for a case with mistakes; CaseStepError for a step that can't be repeated, or a
 * case that is incomplete; RangeError to stop before a step that the case does not have.
 */
export async function replayCase(given: Case, options: ReplayOptions = {}): Promise<ReplayedCase> {
  assertCase(given)
  checkOptions('replayCase', options, replaySchemas)
  assertComplete(given)
  const { before, ...additions } = options
  const { length } = given.steps ?? []
  if (before !== undefined && before > length)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to stop before step ${before}: the case has ${countOf(length, 'step')}.`,
    )
  const greenhouse = createGreenhouse({ ...additions, case: given, frozen: true })
  try {
    return await replaySteps(given, greenhouse, greenhouse.world(given.world), before)
  } catch (error) {
    greenhouse.close()
    throw error
  }
}

type Pause = () => Promise<void>

/**
 * If the start does not fit the world, it is as before. @throws CaseStepError, DataError,
 * RangeError
 */
export async function replayInto(
  given: Case,
  greenhouse: Greenhouse,
  world: World,
  pause: Pause,
  before?: number,
) {
  assertComplete(given)
  const { start = {} } = given
  const live = world.core
  const defaults = greenhouse.catalogue.assumptionRegistry.resolve({})
  return live.attempt(
    { ...(start.seed !== undefined && { seed: start.seed }), frozen: true, scenarios: [] },
    () => {
      applyState(live, { case: 1, start: { ...start, frozen: true } }, defaults)
      return replaySteps(given, greenhouse, world, before, pause)
    },
  )
}

function assertComplete({ incomplete }: Case): void {
  if (incomplete !== undefined)
    throw new CaseStepError(`The case can't be replayed: ${toVisible(incomplete)}.`)
}

/** The most turns of the event loop to wait for work. An attempt takes about ten. */
const maxTurns = 100

/** Repeats the steps before a step. @param pause called after each step. */
async function replaySteps(
  given: Case,
  greenhouse: Greenhouse,
  world: World,
  before = Infinity,
  pause?: Pause,
) {
  const { steps = [], exact = false, start } = given
  const live = world.core
  const secrets = new CaseSecrets(live)
  // A reply of these scenarios has the fingerprint where the case has it.
  secrets.revealAll([start?.scenarios, start?.own_scenarios])
  const isMoved = world.name !== (given.world ?? 'default')
  /** The attempts that wait for their answers, by delivery. */
  const waiting = new Map<
    string,
    { resolve(answer: WebhookAnswer): void; reject(error: Error): void }
  >()
  const stop = live.deliverThrough({
    send: ({ delivery = '' }, signal) =>
      new Promise((resolve, reject) => {
        waiting.set(delivery, { resolve, reject })
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  })
  const done: CaseStep[] = []
  let last: Reply | undefined
  let requests = 0
  let frozen = start?.frozen ?? false
  let differences: CaseDifference[] = []
  try {
    for (const [index, step] of steps.entries()) {
      if (index + 1 >= before) {
        if (step.at !== undefined) world.clock.set(step.at)
        frozen = true
        break
      }
      const actual = await perform(step, index + 1)
      await pause?.()
      if (live.background.isBusy) await turns(() => false)
      frozen = step.clock?.frozen ?? frozen
      done.push(actual ? withReply(step, actual) : step)
      if (!actual) continue
      requests++
      if (!step.reply || differences.length > 0) continue
      const ignored = [
        ...(live.effectiveSettings.assumptions.get('http.date') === 'world' ? [] : ['date']),
        // The header names the world.
        ...(isMoved ? ['x-greenhouse'] : []),
        // A scenario gives the reply of the service, and makes the framing and the trace itself.
        ...(step.answered_by === undefined ? [] : ['content-length', 'x-greenhouse']),
      ]
      const found = findReplyDifferences(step.reply, actual.reply!, exact, ignored)
      differences = Array.from(found, (one) => ({
        step: index + 1,
        request: step.request!,
        ...one,
      }))
    }
  } finally {
    stop()
  }
  if (!frozen) world.clock.run()
  return { greenhouse, world, requests, steps: done, differences, last }

  /** @throws CaseStepError */
  async function perform(step: CaseStep, index: number): Promise<CaseStep | undefined> {
    try {
      if (step.at !== undefined && step.clock === undefined) {
        const at = toClockTime(step.at)
        if (live.clock.now() !== at) world.clock.set(at)
      }
      live.catchUp()
      if (live.background.isBusy) await turns(() => false)
      if (step.answer) await giveAnswer(step.answer)
      if (step.request === undefined)
        return void (await change(world, step, (value) => secrets.revealAll(value)))
      const { asked, reply } = await ask(greenhouse, world, step, secrets, isMoved)
      last = reply
      return asked
    } catch (error) {
      throw new CaseStepError(
        `Step ${index} of the case can't be repeated: ${(error as Error).message}`,
        {
          cause: error,
        },
      )
    }
  }

  async function giveAnswer({
    delivery,
    status,
    error,
    response,
    latency,
  }: ReceivedAnswer): Promise<void> {
    await turns(() => waiting.has(delivery))
    const attempt = waiting.get(delivery)
    if (!attempt) throw new Error(`nothing was sent for the delivery ${quote(delivery)}.`)
    waiting.delete(delivery)
    const { changes } = live.history
    const { length } = changes
    if (status === null)
      attempt.reject(Object.assign(new Error(error ?? 'No answer.'), { latency }))
    else attempt.resolve({ status, body: response ?? '', latency })
    await turns(() => changes.length > length)
  }
}

/** Repeats a change of a world. @param reveal puts secrets in the place of what the case has */
async function change(world: World, step: CaseStep, reveal: <T>(value: T) => T): Promise<void> {
  const live = world.core
  const { use, place, use_only, clear, assume, clock, refill, redeliver, snapshot, restore } = step
  if (use) live.scenarios.use(reveal(use), { index: place })
  else if (use_only) live.scenarios.use(reveal(use_only), { isOnly: true })
  else if (clear !== undefined) live.scenarios.clear(clear === true ? undefined : clear)
  else if (assume) live.scenarios.assume(assume)
  else if (clock) world.clock.set(clock.now)
  else if (step.put) put(live, reveal(step.put))
  else if (step.remove) {
    const { collection, key } = reveal(step.remove)
    const definition = requireCollection(live, collection)
    find(live, definition, key)
    live.collection(definition).delete(key)
    live.recordChange({ remove: { collection, key } })
  } else if (step.replace) {
    const { collection, records } = reveal(step.replace)
    const definition = requireCollection(live, collection)
    const stored = live.collection(definition)
    stored.replace(records.map((value) => toRecord(live, definition, value)))
    live.recordChange({ replace: { collection, records: stored.all() } })
  } else if (refill) refillQuota(live, find(live, accounts, refill.account), refill.window)
  else if (step.create_key) await world.createKey(step.create_key as Omit<Key, 'secret'>)
  else if (step.trigger) {
    const { type, data, ...target } = reveal(step.trigger)
    await world.trigger(type as EventType, data, target)
  } else if (redeliver !== undefined) {
    live.recordChange({ redeliver })
    sendAgain(
      live,
      live.collection(deliveries),
      find(live, deliveries, redeliver),
      live.clock.now(),
    )
  } else if (snapshot !== undefined) world.snapshot(snapshot)
  else if (restore !== undefined) world.restore(restore)
}

function find<T extends object>(
  live: LiveWorld,
  definition: CollectionDefinition<T>,
  id: RecordKey,
): Readonly<T> {
  const stored = live.collection(definition)
  const found = stored.get(id)
  if (found) return found
  const known = definition.secrets
    ? []
    : stored.all().map((record) => String(definition.key(record)))
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    describeProblem(`"${definition.name}" has no record ${quote(String(id))}`, String(id), known),
  )
}

function put(
  live: LiveWorld,
  { collection, record: value, place }: NonNullable<CaseStep['put']>,
): void {
  const definition = requireCollection(live, collection)
  const stored = live.collection(definition)
  const given = toRecord(live, definition, value)
  const before = stored.get(definition.key(given))
  const absent = Object.fromEntries(Object.keys(before ?? {}).map((field) => [field, undefined]))
  const record = before
    ? stored.update(definition.key(given), { ...absent, ...given })!
    : stored.create(given, place)
  live.awaitRecord(definition, record, before)
  live.recordChange({ put: { collection, record, place } })
}

function toRecord(
  live: LiveWorld,
  definition: ReturnType<typeof requireCollection>,
  value: object,
): object {
  const form = formOf(definition)
  return form.toRecord(form.schema.parse(value), live.clock.now())
}

/**
 * Reads the reply without waiting for its delay. @param isMoved whether the step is from a world of
 * another name
 */
export async function ask(
  greenhouse: Greenhouse,
  { name, core: { journal } }: World,
  step: CaseStep,
  secrets: CaseSecrets,
  isMoved: boolean,
): Promise<{ readonly asked: CaseStep; readonly reply: Reply }> {
  const before = journal.lastId
  const controller = new AbortController()
  const request = toRequest(step, name, secrets, isMoved)
  const isTooLarge = request.body !== null && request.body.length > greenhouse.bodyLimit
  const body = isTooLarge ? 'too-large' : request.body
  const answering = greenhouse.handle({ ...request, body, signal: controller.signal })
  // The entry exists by the end of this turn, whenever the reply is sent.
  const record = journal.lastId > before ? journal.record(journal.lastId) : undefined
  controller.abort('Nobody waits for the reply.')
  const reply = await answering
  markSent(reply)
  if (record) return { asked: writeRequest(record, secrets), reply }
  // No journal records a request that reached no world.
  const { status, headers, body: text } = reply
  return { asked: { reply: { status, headers, ...(typeof text === 'string' && { text }) } }, reply }
}

function toRequest(step: CaseStep, world: string, secrets: CaseSecrets, isMoved: boolean) {
  const [method, target] = splitRequest(step)
  const [whole, search] = splitTarget(secrets.reveal(target))
  const path = isMoved ? splitWorld(whole).path : whole
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      secrets.revealAll(value),
    ]),
  )
  const { body, text, bytes } = secrets.revealAll({
    body: step.body,
    text: step.text,
    bytes: step.bytes,
  })
  const given = toBodyBytes({ body, text, bytes })
  if (body !== undefined) headers['content-type'] ??= 'application/json'
  // A case omits the world's name in keys.
  if (isMoved) headers['x-greenhouse-world'] = world
  else headers['x-greenhouse-world'] ??= world
  return { method, path, search, headers, body: given }
}

async function turns(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < maxTurns && !isDone(); turn++) await undefined
}

function withReply(step: CaseStep, { reply, operation, reason, mistakes }: CaseStep): CaseStep {
  const done: CaseStep = withoutReply(step)
  if (reply) done.reply = reply
  if (operation !== undefined) done.operation = operation
  if (reason !== undefined) done.reason = reason
  if (mistakes) done.mistakes = mistakes
  return done
}
