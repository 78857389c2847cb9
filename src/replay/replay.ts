import { codedError, type GreenhouseErrorCode } from '../core/text/error-codes.ts'
import { givenOf } from '../core/contract/options.ts'
import { type Additions, additionSchemas } from '../custom/definitions.ts'
import { assumptionValue } from '../core/contract/assumptions.ts'
import { splitWorld } from '../core/http/address.ts'
import { markSent, type Reply } from '../core/http/reply.ts'
import { splitTarget } from '../core/http/request.ts'
import type { WebhookAnswer } from '../core/http/webhook-transport.ts'
import { countOf, quote, toVisible } from '../core/text/messages.ts'
import { checkOptions, type SchemasOf, wholeNumber } from '../core/store/options.ts'
import { toClockTime } from '../core/time/time-text.ts'
import type { ReceivedAnswer } from '../core/world/changes.ts'
import { createGreenhouse } from '../api/assembly/create.ts'
import type { World } from '../api/world.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { changeWorld } from './change-world.ts'
import { applyState } from '../cases/start-from-case.ts'
import { writeRequest } from '../cases/write-step.ts'
import { findReplyDifferences, type ReplyDifference } from '../cases/compare-replies.ts'
import { toBodyBytes } from '../cases/content.ts'
import { assertCase, splitRequest, withoutOutcome } from '../cases/format.ts'
import { CaseSecrets } from '../cases/secrets.ts'
import type { Case, CaseReply, CaseStep } from '../cases/generated/case.ts'

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
  const greenhouse = createGreenhouse({
    ...additions,
    case: given,
    frozen: true,
  })
  try {
    return await new Replay(given, greenhouse, greenhouse.world(given.world)).play(before)
  } catch (error) {
    greenhouse.close()
    throw error
  }
}

type Pause = () => Promise<void>

/**
 * Replays a case in a world that already runs. A world that the start of the case does not fit
 * stays as it was.
 * @param pause called after each step
 * @throws CaseStepError, DataError, RangeError
 */
export async function replayInto(
  given: Case,
  greenhouse: Greenhouse,
  world: World,
  pause: Pause,
): Promise<ReplayedCase> {
  assertComplete(given)
  const { start = {} } = given
  const liveWorld = world.core
  const defaults = greenhouse.catalogue.assumptionRegistry.resolve({})
  return liveWorld.life.attempt(
    {
      seed: start.seed,
      frozen: true,
      scenarios: [],
    },
    () => {
      applyState(
        liveWorld,
        {
          case: 1,
          start: { ...start, frozen: true },
        },
        defaults,
      )
      return new Replay(given, greenhouse, world).play(undefined, pause)
    },
  )
}

function assertComplete({ incomplete }: Case) {
  if (incomplete !== undefined)
    throw new CaseStepError(`The case can't be replayed: ${toVisible(incomplete)}.`)
}

/** An attempt of a webhook, which waits for the step that has its receiver's answer. */
interface WaitingAttempt {
  resolve(answer: WebhookAnswer): void
  reject(error: Error): void
}

class Replay {
  readonly #case: Case
  readonly #greenhouse: Greenhouse
  readonly #world: World
  readonly #secrets: CaseSecrets
  /** True if the case was written in a world of another name. */
  readonly #isMoved: boolean
  /** The attempts that wait for their answers, by delivery. */
  readonly #waiting = new Map<string, WaitingAttempt>()
  /** The steps that were repeated, with the replies that they got. */
  readonly #repeated: CaseStep[] = []
  #requests = 0
  #differences: readonly CaseDifference[] = []
  #lastReply: Reply | undefined

  constructor(given: Case, greenhouse: Greenhouse, world: World) {
    this.#case = given
    this.#greenhouse = greenhouse
    this.#world = world
    this.#secrets = new CaseSecrets(world.core)
    this.#isMoved = world.name !== (given.world ?? 'default')
    // The secrets note what is revealed: a reply of these scenarios has the same fingerprints then.
    this.#secrets.revealAll([given.start?.scenarios, given.start?.own_scenarios])
  }

  /** Repeats the steps before a step. @param pause called after each step. */
  async play(before = Infinity, pause?: Pause): Promise<ReplayedCase> {
    const { steps = [], start } = this.#case
    const { core, clock } = this.#world
    let isFrozen = start?.frozen ?? false
    const restoreTransport = core.deliverThrough({
      send: ({ delivery = '' }, signal) => this.#waitForAnswer(delivery, signal),
    })
    try {
      for (const [index, step] of steps.entries()) {
        if (index + 1 >= before) {
          if (step.at !== undefined) clock.set(step.at)
          isFrozen = true
          break
        }
        await this.#repeat(step, index + 1)
        await pause?.()
        await this.#settle()
        isFrozen = step.clock?.frozen ?? isFrozen
      }
    } finally {
      restoreTransport()
    }
    if (!isFrozen) clock.run()
    return {
      greenhouse: this.#greenhouse,
      world: this.#world,
      requests: this.#requests,
      steps: this.#repeated,
      differences: this.#differences,
      last: this.#lastReply,
    }
  }

  /**
   * Repeats a step at its time: first the work that is due by then, then the step.
   * @throws CaseStepError
   */
  async #repeat(step: CaseStep, number: number) {
    const { core, clock } = this.#world
    try {
      if (step.at !== undefined && step.clock === undefined) {
        const at = toClockTime(step.at)
        if (clock.now() !== at) clock.set(at)
      }
      core.catchUp()
      await this.#settle()
      if (step.answer) await this.#giveAnswer(step.answer)
      if (step.request === undefined) {
        await changeWorld(this.#world, this.#secrets.revealAll(step))
        this.#repeated.push(step)
        return
      }
      const { request, reply: expected } = step
      const { reply, operation, reason, mistakes } = await this.#sendRequest(step)
      this.#requests++
      this.#repeated.push({
        ...withoutOutcome(step),
        ...givenOf({
          reply,
          operation,
          reason,
          mistakes,
        }),
      })
      if (!expected || !reply || this.#differences.length > 0) return
      const differences = this.#compare(step, expected, reply)
      this.#differences = Array.from(differences, (one) => ({
        step: number,
        request,
        ...one,
      }))
    } catch (error) {
      throw new CaseStepError(
        `Step ${number} of the case can't be repeated: ${(error as Error).message}`,
        { cause: error },
      )
    }
  }

  /** Waits for the work of the world that has begun, such as attempts of webhooks. */
  async #settle() {
    if (this.#world.core.background.isBusy) await waitTurns(() => false)
  }

  /** Sends a request, and reads the reply without waiting for its delay. */
  async #sendRequest(step: CaseStep): Promise<CaseStep> {
    const { name, core } = this.#world
    const { journal } = core
    const before = journal.lastId
    const controller = new AbortController()
    const request = toStepRequest(step, name, this.#secrets, this.#isMoved)
    const isTooLarge = request.body !== null && request.body.length > this.#greenhouse.bodyLimit
    const answering = this.#greenhouse.handle({
      ...request,
      body: isTooLarge ? 'too-large' : request.body,
      signal: controller.signal,
    })
    // The core has answered by the end of this turn, however late it would send the reply.
    const record = journal.lastId > before ? journal.get(journal.lastId) : undefined
    controller.abort('Nobody waits for the reply.')
    const reply = await answering
    markSent(reply)
    this.#lastReply = reply
    if (record) return writeRequest(record, this.#secrets)
    // No journal records a request that reached no world. Its reply is text.
    const { status, headers, body: text } = reply
    return {
      reply: {
        status,
        headers,
        text: typeof text === 'string' ? text : undefined,
      },
    }
  }

  #compare(step: CaseStep, expected: CaseReply, actual: CaseReply): Iterable<ReplyDifference> {
    const settings = this.#world.core.effectiveSettings
    const ignored: string[] = []
    if (assumptionValue(settings, 'http.date') !== 'world') ignored.push('date')
    // This header has the name of the world.
    if (this.#isMoved) ignored.push('x-greenhouse')
    // Here a scenario repeats what the real service replied: these two headers are its own.
    if (step.answered_by !== undefined) ignored.push('content-length', 'x-greenhouse')
    return findReplyDifferences(expected, actual, this.#case.exact ?? false, ignored)
  }

  #waitForAnswer(delivery: string, signal: AbortSignal): Promise<WebhookAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(delivery, { resolve, reject })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }

  async #giveAnswer(answer: ReceivedAnswer) {
    const { delivery, status, error, response, latency } = answer
    await waitTurns(() => this.#waiting.has(delivery))
    const attempt = this.#waiting.get(delivery)
    if (!attempt) throw new Error(`nothing was sent for the delivery ${quote(delivery)}.`)
    this.#waiting.delete(delivery)
    const { changes } = this.#world.core.state.history
    const { length: before } = changes
    if (status === null)
      attempt.reject(Object.assign(new Error(error ?? 'No answer.'), { latency }))
    else
      attempt.resolve({
        status,
        body: response ?? '',
        latency,
      })
    // The world has taken the answer when it has noted it as a change.
    await waitTurns(() => changes.length > before)
  }
}

/** @param isMoved whether the case was written in a world of another name */
function toStepRequest(step: CaseStep, world: string, secrets: CaseSecrets, isMoved: boolean) {
  const [method, target] = splitRequest(step)
  const [pathOfCase, search] = splitTarget(secrets.reveal(target))
  const path = isMoved ? splitWorld(pathOfCase).path : pathOfCase
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      secrets.revealAll(value),
    ]),
  )
  const { body, text, bytes } = step
  if (body !== undefined) headers['content-type'] ??= 'application/json'
  // The path and this header alone name the world: a case omits the name in keys.
  if (isMoved) headers['x-greenhouse-world'] = world
  else headers['x-greenhouse-world'] ??= world
  return {
    method,
    path,
    search,
    headers,
    body: toBodyBytes(
      secrets.revealAll({
        body,
        text,
        bytes,
      }),
    ),
  }
}

/** The most turns of the event loop to wait for work. An attempt takes about ten. */
const maxTurns = 100

/** Lets what waits for settled promises go on, until something is done. No timer is waited for. */
async function waitTurns(isDone: () => boolean) {
  for (let turn = 0; turn < maxTurns && !isDone(); turn++) await undefined
}
