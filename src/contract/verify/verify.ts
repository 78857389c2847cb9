import { assumptionRegistry } from '../../catalogue/catalogue.ts'
import { mapStrings } from '../../core/text/values.ts'
import type { AssumptionId } from '../../api/names.ts'
import type { AreaName } from '../../areas/event-types.ts'
import { Apps, Plants } from './resources.ts'
import { isStated, quotaLane, realTimeLane, statedRules } from './probe.ts'
import type { GapFinding, Probe, ProbeTools, RuleFinding, RuleResult } from './probe.ts'
import { documentId, findAppsArea, headOfRule, watchReplies } from './replies.ts'
import { checkReachable, Session, type SessionOptions } from './session.ts'
import { areaOf, Broken, Inconclusive, NoReply, Stopped } from './wire.ts'
import { appGaps, appRules, deploymentGaps, paidGaps } from './table/apps.ts'
import { appAuthRules, authGaps, plantAuthRules } from './table/keys.ts'
import {
  plantCreateGaps,
  plantCreateRules,
  plantDeleteGaps,
  plantDeleteRules,
} from './table/plants-changes.ts'
import { plantListGaps, plantListRules } from './table/plants-list.ts'
import { rateLimitGaps, rateLimitRules } from './table/rate-limit.ts'
import { webhookGaps } from './table/webhooks.ts'

export interface VerifyOptions extends SessionOptions {
  readonly only?: ((id: string) => boolean) | undefined
}

export type AssumptionResult = GapFinding & {
  readonly id: string
  readonly question: string
  readonly standard: string
}

export interface VerifyReport {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly rules: readonly RuleResult[]
  readonly probes: readonly AssumptionResult[]
  readonly left: readonly string[]
  readonly bought: readonly string[]
  readonly ended?: string | undefined
}

/**
 * The fields of a report that no server writes: a key such as "expired" stays in the id of a rule.
 */
const ownFields = new Set([
  'id',
  'area',
  'words',
  'source',
  'outcome',
  'question',
  'standard',
  'value',
])

/**
 * Probes a server with the rows of the table. What was created is deleted at the end. @throws
 * TargetUnreachableError
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { only = () => true, targets } = options
  const isWanted = (id: string) => only(id) && targets[areaOf(id)] !== undefined
  const session = new Session(options)
  const tools: ProbeTools = { session, plants: new Plants(session), apps: new Apps(session) }
  const resultsOfReplies = watchReplies(session, isWanted)
  const wanted = table.filter(({ id }) => isWanted(id))
  const found = new Map<Probe, ProbeFinding>()
  const left: string[] = []
  let ended: string | undefined
  try {
    await checkReachable(session)
    await provoke(session)
    const spends = ({ needs }: Probe) => needs.includes('rate-limit')
    const first = wanted.filter((row) => !spends(row))
    const run = createRunner(tools, found, wanted.length)
    await runLanes(first, options.movesClock, run)
    await run(first.filter(({ lane }) => lane === quotaLane))
    // Nothing can be deleted while the limit is spent.
    left.push(...(await session.cleanUp()))
    left.push(...(await tools.plants.sweep(left)))
    await run(wanted.filter(spends))
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    ended = error.message
  } finally {
    left.push(...(await session.cleanUp()))
    // A stopped run has not deleted these yet.
    if (ended !== undefined) left.push(...(await tools.plants.sweep(left)))
  }
  const { rules, probes } = toResults(wanted, found, isWanted)
  const report: VerifyReport = {
    targets,
    rules: [...rules, ...resultsOfReplies()],
    probes,
    left,
    bought: session.bought,
    ended,
  }
  return mapStrings(report, (text, name) => {
    if (ownFields.has(name)) return text
    return session.redact(text)
  }) as VerifyReport
}

/** Returns what was found, in the order of the table, and of the assumptions. */
function toResults(
  wanted: readonly Probe[],
  found: ReadonlyMap<Probe, ProbeFinding>,
  isWanted: (id: string) => boolean,
) {
  const rules: RuleResult[] = []
  const probes: AssumptionResult[] = []
  for (const row of wanted) {
    const finding = found.get(row)
    if (finding && isStated(row.id))
      rules.push({ ...headOfRule(row.id), ...(finding as RuleFinding) })
    else if (finding) probes.push({ id: row.id, ...questionOf(row.id), ...(finding as GapFinding) })
  }
  for (const [id, why] of Object.entries(unobservable))
    if (isWanted(id)) probes.push({ id, ...questionOf(id), outcome: 'unseen', why })
  const order = assumptionRegistry.list().map(({ id }) => id)
  probes.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  return { rules, probes }
}

type ProbeFinding = RuleFinding | GapFinding

type RunProbes = (rows: readonly Probe[]) => Promise<void>

function createRunner(
  tools: ProbeTools,
  found: Map<Probe, ProbeFinding>,
  total: number,
): RunProbes {
  const { session } = tools
  const running = new Set<string>()
  const report = () =>
    session.options.progress?.({ done: found.size, total, running: [...running] })
  return async (rows) => {
    for (const row of rows) {
      running.add(row.id)
      report()
      const finding = await runRow(tools, row)
      if (finding.outcome === 'value') session.learned.set(row.id, finding.value)
      found.set(row, finding)
      running.delete(row.id)
      report()
    }
  }
}

async function runRow(tools: ProbeTools, row: Probe): Promise<ProbeFinding> {
  const { session } = tools
  const lack = session.lacks(row.needs)
  if (lack !== undefined) return { outcome: 'unseen', why: lack }
  if (session.isLost) throw new Stopped('The server no longer answers.')
  try {
    return (await row.run(tools)) ?? { outcome: 'kept' }
  } catch (error) {
    if (error instanceof Broken)
      return { outcome: 'broken', why: error.message, reply: error.reply }
    if (error instanceof Inconclusive)
      return { outcome: 'unseen', why: error.message, among: error.among }
    if (error instanceof NoReply) return { outcome: 'unseen', why: error.message, noReply: true }
    throw error
  }
}

/**
 * Runs lanes side by side. A clock that verify moves serves one lane at a time: the others would
 * see its jumps. Its server is asked to move it only when nothing waits in real time, because it
 * answers when its work is done.
 */
async function runLanes(rows: readonly Probe[], movesClock = false, run: RunProbes): Promise<void> {
  const lanes = [...new Set(rows.map(({ lane }) => lane))].filter((lane) => lane !== quotaLane)
  const isBeside = (lane: string | undefined) =>
    !movesClock || lane === undefined || lane === realTimeLane
  const runLane = (wanted: string | undefined) => run(rows.filter(({ lane }) => lane === wanted))
  const ended = await Promise.allSettled(lanes.filter(isBeside).map(runLane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  for (const lane of lanes) if (!isBeside(lane)) await runLane(lane)
}

function questionOf(id: string) {
  const { question, values } = assumptionRegistry.list().find((assumption) => assumption.id === id)!
  return { question, standard: values[0] }
}

export function knownIds(): readonly string[] {
  return [
    ...Object.keys(statedRules),
    ...assumptionRegistry.list().map(({ id }) => id),
    ...findAppsArea().operations.map(documentId),
  ]
}

const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected':
    'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows only days after an unpaid renewal',
  'payments.unpaid': 'it shows only days after an unpaid renewal',
}

/** Provokes errors that no rule needs, so that the rules of every reply see them. */
async function provoke(session: Session): Promise<void> {
  const { allowWrites, targets } = session.options
  if (!allowWrites) return
  const asText = { body: 'greenhouse-verify', headers: { 'Content-Type': 'text/plain' } }
  try {
    if (targets.apps !== undefined) {
      await session.call('PATCH', '/apps', { body: {} })
      await session.call('POST', '/apps', asText)
      await session.call('GET', '/greenhouse-verify')
    }
    if (targets.plants !== undefined) await session.call('PATCH', '/plants', { body: {} })
  } catch (error) {
    if (!(error instanceof NoReply || error instanceof Inconclusive)) throw error
  }
}

/** The rules and gaps in the order in which they run: those that spend the rate limit come last. */
export const table: readonly Probe[] = [
  ...plantAuthRules,
  ...plantListRules,
  ...plantCreateRules,
  ...plantDeleteRules,
  ...appAuthRules,
  ...appRules,
  ...rateLimitRules,
  ...plantListGaps,
  ...plantCreateGaps,
  ...plantDeleteGaps,
  ...authGaps,
  ...appGaps,
  ...webhookGaps,
  ...deploymentGaps,
  ...paidGaps,
  ...rateLimitGaps,
]
