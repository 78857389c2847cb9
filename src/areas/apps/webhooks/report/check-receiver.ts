import { assumptionValue } from '../../../../core/contract/assumptions.ts'
import { sharedByBuilds } from '../../../../core/contract/builds.ts'
import type { LiveWorld } from '../../../../core/world/live-world.ts'
import { timeoutOf } from '../assumptions.ts'
import { timeoutErrorPrefix } from '../delivery/message.ts'
import { type Attempt, deliveries, hasAccepted, type Webhook } from '../schemas.ts'
import { cached } from '../../../../core/contract/cache.ts'

interface CheckResult {
  readonly result: 'passed' | 'failed' | 'unknown'
  /** The reason, as a sentence. */
  readonly why: string
}

/** One check of a webhook's receiver. */
export interface Check extends CheckResult {
  readonly name:
    | 'reachable'
    | 'answers-in-time'
    | 'verifies-signatures'
    | 'refuses-stale-timestamps'
    | 'idempotent'
}

/** The grade of a webhook's receiver. */
export interface Grade {
  readonly webhook_id: string
  /** `failed` when a check failed, `passed` when all checks passed, otherwise `unknown`. */
  readonly result: Check['result']
  readonly checks: readonly Check[]
}

export function grade(world: LiveWorld, webhook: Readonly<Webhook>): Grade {
  const seen = observedOf(world, webhook.id)
  const valid = seen.filter(({ fault }) => fault === undefined)
  const findings: Record<Check['name'], CheckResult> = {
    reachable: checkReach(valid),
    'answers-in-time': checkTime(seen, timeoutOf(world)),
    'verifies-signatures':
      assumptionValue(world.effectiveSettings, 'webhooks.signature') === 'none'
        ? unknown('Deliveries are not signed: the assumption webhooks.signature is "none".')
        : checkRejection('bad-signature', 'a wrong signature', valid, seen),
    'refuses-stale-timestamps': checkRejection('stale-timestamp', 'a stale timestamp', valid, seen),
    idempotent: checkDuplicates(valid),
  }
  const checks = Object.entries(findings).map(([name, finding]) => ({
    name: name as Check['name'],
    ...finding,
  }))
  const results = checks.map(({ result }) => result)
  const worst = (['failed', 'unknown'] as const).find((result) => results.includes(result))
  return {
    webhook_id: webhook.id,
    result: worst ?? 'passed',
    checks,
  }
}

function checkReach(valid: readonly Observation[]): CheckResult {
  const last = valid.at(-1)
  if (!last) return unknown('Nothing has been sent to it yet.')
  if (valid.some(hasAccepted)) return passed('It accepted valid requests.')
  if (last.status === null) return failed(`It never answered; the last error: ${last.error}`)
  return failed(`It accepted no request; the last answer was ${last.status}.`)
}

function checkTime(seen: readonly Observation[], timeout: number): CheckResult {
  const late = seen.filter(({ error }) => error?.startsWith(timeoutErrorPrefix)).length
  if (late > 0)
    return failed(`It took longer than ${timeout / 1_000} s ${late} of ${seen.length} times.`)
  const answered = seen.filter(({ status }) => status !== null)
  if (answered.length === 0) return unknown('It has not answered yet.')
  const slowest = Math.max(...answered.map(({ latency }) => latency))
  return passed(`Its slowest answer took ${slowest} ms of ${timeout} ms.`)
}

function checkRejection(
  kind: NonNullable<Observation['fault']>,
  what: string,
  valid: readonly Observation[],
  seen: readonly Observation[],
): CheckResult {
  const answered = seen.filter(({ fault, status }) => fault === kind && status !== null)
  const taken = answered.find(hasAccepted)
  if (taken)
    return failed(`It answered ${taken.status} to ${what}: expected a refusal, such as 400 or 401.`)
  const last = answered.at(-1)
  if (!last)
    return unknown(
      `It has not answered a request with ${what} yet. Grade it with POST, or use the scenario webhook-${kind}.`,
    )
  if (!valid.some(hasAccepted))
    return unknown(
      `It refused ${what}, but it refused valid requests too. Does it have the secret? Does its clock agree with webhook-timestamp? If it uses the machine's time, set the assumption webhooks.timestamp to "real".`,
    )
  return passed(`It answered ${last.status} to ${what}.`)
}

function checkDuplicates(valid: readonly Observation[]): CheckResult {
  const first = new Map<string, Observation>()
  let compared = 0
  let differs: Observation | undefined
  for (const one of valid) {
    if (one.status === null) continue
    const before = first.get(one.event)
    if (!before) {
      if (hasAccepted(one)) first.set(one.event, one)
      continue
    }
    compared++
    if (one.status !== before.status)
      return failed(
        `It answered ${before.status} to an event and ${one.status} to its duplicate: expected the same.`,
      )
    if (one.response !== before.response) differs = one
  }
  if (compared === 0)
    return unknown(
      'No event has been sent to it twice yet. Grade it with POST, or use the scenario webhook-duplicate.',
    )
  if (differs)
    return unknown(
      `It answered an event and its duplicate with ${differs.status}, but with different bodies: Greenhouse can't see whether it did the work twice.`,
    )
  return passed(
    `It answered ${compared === 1 ? 'a duplicate' : `${compared} duplicates`} like the first event.`,
  )
}

const finding =
  (result: Check['result']) =>
  (why: string): CheckResult => ({ result, why })
const passed = finding('passed')
const failed = finding('failed')
const unknown = finding('unknown')

export interface Observation extends Pick<
  Attempt,
  'at' | 'status' | 'error' | 'latency' | 'response' | 'fault'
> {
  readonly event: string
}

/** The observations of examinations, by the epoch of a world and the id of the webhook. */
const examinations = sharedByBuilds(
  'receiver-exams',
  () => new WeakMap<object, Map<string, Observation[]>>(),
)

const maxObserved = 100

const maxExamined = 1_000

export function recordObservations(
  world: LiveWorld,
  webhook: string,
  observations: readonly Observation[],
): void {
  const seen = cached(examinations, world.state.epoch, () => new Map<string, Observation[]>())
  seen.set(webhook, (seen.get(webhook) ?? []).concat(observations).slice(-maxObserved))
  const [oldest = ''] = seen.keys()
  if (seen.size > maxExamined) seen.delete(oldest)
}

export function observedOf(world: LiveWorld, webhook: string): Observation[] {
  const examined = examinations.get(world.state.epoch)?.get(webhook) ?? []
  const delivered = world
    .collection(deliveries)
    .childrenOf(webhook)
    .oldest()
    .flatMap(({ event, attempts }) => attempts.map((attempt) => ({ event, ...attempt })))
  return [...delivered, ...examined].sort((one, other) => one.at - other.at)
}
