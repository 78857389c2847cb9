import { assumptionRegistry } from '../../catalogue/catalogue.ts'
import { mapStrings } from '../../core/text/values.ts'
import type { AssumptionId } from '../../api/names.ts'
import type { AreaName } from '../../areas/event-types.ts'
import { Apps, Plants } from './resources.ts'
import {
  type GapFinding,
  isStated,
  type Probe,
  type ProbeTools,
  quotaLane,
  realTimeLane,
  type RuleFinding,
  type RuleResult,
  statedRules,
} from './probe.ts'
import { documentId, findAppsArea, headOfRule, watchReplies } from './replies.ts'
import { type Need, Session, type SessionOptions } from './session.ts'
import {
  areaOf,
  RuleBrokenError,
  InconclusiveError,
  NoReplyError,
  type ServerReply,
  StoppedError,
} from './wire.ts'
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
  /** Returns whether a row with this id is wanted; by default all are. */
  readonly only?: (id: string) => boolean
}

export type AssumptionResult = GapFinding & {
  readonly id: string
  readonly question: string
  /** The value that Greenhouse assumes by default. */
  readonly standard: string
}

export interface VerifyReport {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly rules: readonly RuleResult[]
  readonly probes: readonly AssumptionResult[]
  /** The records that the run created, and could not delete. */
  readonly left: readonly string[]
  /** The purchases of the run, which cannot be given back. */
  readonly bought: readonly string[]
  /** Why the run ended early. */
  readonly ended?: string
}

/**
 * The fields of a report whose texts are ours. They are not redacted: a key may be a word such as
 * "expired", which is in the id of a rule.
 */
const fieldsOfTable = new Set([
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
 * Asks a server what the rows of the table ask: whether it keeps the stated rules, and which values
 * of the assumptions it has. What was created is deleted at the end.
 * @throws TargetUnreachableError
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { only = () => true, targets } = options
  const isWanted = (id: string) => only(id) && targets[areaOf(id)] !== undefined
  const session = new Session(options)
  const tools: ProbeTools<Need> = {
    session,
    plants: new Plants(session),
    apps: new Apps(session),
    key: (need) => session.keyFor(need),
  }
  const resultsOfReplies = watchReplies(session, isWanted)
  const wanted = table.filter(({ id }) => isWanted(id))
  const findings = new Map<Probe, ProbeFinding>()
  const left: string[] = []
  let ended: string | undefined
  try {
    await checkReachable(session)
    await provokeErrors(session)
    const spendsLimit = ({ needs }: Probe) => needs.includes('rate-limit')
    const first = wanted.filter((row) => !spendsLimit(row))
    const run = createRunner(tools, findings, wanted.length)
    await runLanes(first, options.movesClock, run)
    await run(first.filter(({ lane }) => lane === quotaLane))
    // Nothing can be deleted while the limit is spent.
    left.push(...(await session.cleanUp()))
    left.push(...(await tools.plants.sweep(left)))
    await run(wanted.filter(spendsLimit))
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error
    ended = error.message
  } finally {
    left.push(...(await session.cleanUp()))
    // A run that ended early has not yet deleted plants that the server stored under other ids.
    if (ended !== undefined) left.push(...(await tools.plants.sweep(left)))
  }
  const { rules, probes } = toResults(wanted, findings, isWanted)
  const report: VerifyReport = {
    targets,
    rules: [...rules, ...resultsOfReplies()],
    probes,
    left,
    bought: session.bought,
    ended,
  }
  return mapStrings(report, (text, name) => {
    if (fieldsOfTable.has(name)) return text
    return session.redact(text)
  }) as VerifyReport
}

/**
 * Returns the findings about stated rules in the order of the table, and those about assumptions in
 * the order of the list of assumptions.
 */
function toResults(
  wanted: readonly Probe[],
  findings: ReadonlyMap<Probe, ProbeFinding>,
  isWanted: (id: string) => boolean,
) {
  const rules: RuleResult[] = []
  const probes: AssumptionResult[] = []
  for (const row of wanted) {
    const finding = findings.get(row)
    if (finding && isStated(row.id))
      rules.push({ ...headOfRule(row.id), ...(finding as RuleFinding) })
    else if (finding) probes.push({ ...questionOf(row.id), ...(finding as GapFinding) })
  }
  for (const [id, why] of Object.entries(unobservable))
    if (isWanted(id))
      probes.push({
        ...questionOf(id),
        outcome: 'unseen',
        why,
      })
  const order = assumptionRegistry.list().map(({ id }) => id)
  probes.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  return { rules, probes }
}

type ProbeFinding = RuleFinding | GapFinding

type RunProbes = (rows: readonly Probe[]) => Promise<void>

/** Returns a function that runs rows one after the other, and notes their findings. */
function createRunner(
  tools: ProbeTools<Need>,
  findings: Map<Probe, ProbeFinding>,
  total: number,
): RunProbes {
  const { session } = tools
  const running = new Set<string>()
  const report = () =>
    session.options.progress?.({
      done: findings.size,
      total,
      running: [...running],
    })
  return async (rows) => {
    for (const row of rows) {
      running.add(row.id)
      report()
      const finding = await runRow(tools, row)
      if (finding.outcome === 'value') session.learned.set(row.id, finding.value)
      findings.set(row, finding)
      running.delete(row.id)
      report()
    }
  }
}

async function runRow(tools: ProbeTools, row: Probe): Promise<ProbeFinding> {
  const { session } = tools
  const why = session.whyUnable(row.needs)
  if (why !== undefined)
    return {
      outcome: 'unseen',
      why,
    }
  if (session.isLost) throw new StoppedError('The server no longer answers.')
  try {
    return (await row.run(tools)) ?? { outcome: 'kept' }
  } catch (error) {
    if (error instanceof RuleBrokenError)
      return {
        outcome: 'broken',
        why: error.message,
        reply: error.reply,
      }
    if (error instanceof InconclusiveError)
      return {
        outcome: 'unseen',
        why: error.message,
        among: error.among,
      }
    if (error instanceof NoReplyError)
      return {
        outcome: 'unseen',
        why: error.message,
        noReply: true,
      }
    throw error
  }
}

/**
 * Runs lanes side by side, except the lane that counts requests. If verify moves the clock of the
 * server, the lanes that use it run one at a time: each would see the jumps of the others. They run
 * when no other lane waits in real time, because a server that is asked to move its clock answers
 * only when its work is done.
 */
async function runLanes(rows: readonly Probe[], movesClock = false, run: RunProbes) {
  const lanes = [...new Set(rows.map(({ lane }) => lane))].filter((lane) => lane !== quotaLane)
  const isConcurrent = (lane: string | undefined) =>
    !movesClock || lane === undefined || lane === realTimeLane
  const runLane = (wanted: string | undefined) => run(rows.filter(({ lane }) => lane === wanted))
  // All lanes end before an error of one is thrown: what they created is deleted then.
  const ended = await Promise.allSettled(lanes.filter(isConcurrent).map(runLane))
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
  for (const lane of lanes) if (!isConcurrent(lane)) await runLane(lane)
}

function questionOf(id: string) {
  const { question, values } = assumptionRegistry.find(id, 'probe')
  return {
    id,
    question,
    standard: values[0],
  }
}

/** Returns the ids of all that verify can check: rules, assumptions, and documented operations. */
export function knownIds(): readonly string[] {
  return [
    ...Object.keys(statedRules),
    ...assumptionRegistry.list().map(({ id }) => id),
    ...findAppsArea().operations.map(documentId),
  ]
}

/** The assumptions whose value no row can find out, each with the reason. */
const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected':
    'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows only days after an unpaid renewal',
  'payments.unpaid': 'it shows only days after an unpaid renewal',
}

/** Provokes errors that no rule needs, so that the rules of every reply see them. */
async function provokeErrors(session: Session) {
  const { allowWrites, targets } = session.options
  if (!allowWrites) return
  const asText = {
    body: 'greenhouse-verify',
    headers: { 'Content-Type': 'text/plain' },
  }
  try {
    if (targets.apps !== undefined) {
      await session.call('PATCH', '/apps', { body: {} })
      await session.call('POST', '/apps', asText)
      await session.call('GET', '/greenhouse-verify')
    }
    if (targets.plants !== undefined) await session.call('PATCH', '/plants', { body: {} })
  } catch (error) {
    if (!(error instanceof NoReplyError || error instanceof InconclusiveError)) throw error
  }
}

export class TargetUnreachableError extends Error {
  override name = 'TargetUnreachableError'
}

const serviceNames = {
  plants: 'a plant store',
  apps: 'app management',
} as const

/** @throws TargetUnreachableError if an address does not answer, or is not that of its service */
async function checkReachable(session: Session) {
  for (const area of ['plants', 'apps'] as const) {
    const target = session.options.targets[area]
    if (target === undefined) continue
    let reply: ServerReply
    try {
      reply = await session.call('GET', `/${area}`)
    } catch (error) {
      if (error instanceof NoReplyError)
        throw new TargetUnreachableError(`Failed to reach --target-${area}: ${error.message}`)
      throw error
    }
    const wrong = findServiceProblem(area, reply)
    if (wrong === undefined) continue
    const message = `Failed to use --target-${area}: GET ${target}/${area} ${wrong}`
    throw new TargetUnreachableError(session.redact(message))
  }
}

/** Says what is wrong with the answer to a list, as the end of a sentence. */
function findServiceProblem(
  area: AreaName,
  { status, headers, text, mediaType, json, isSuccess }: ServerReply,
): string | undefined {
  if (status >= 300 && status < 400)
    return `redirects to ${headers['location'] ?? 'another address'} (${status}). Redirects are not followed: give the final address.`
  const isPage = mediaType === 'text/html' && json === undefined
  if (isPage || /^\s*<(!doctype|html)/i.test(text)) {
    const title = /<title>([^<]*)/i.exec(text)?.[1]?.trim().slice(0, 80)
    const shown = title ? ` ("${title}")` : ''
    return `answered ${status} with a page of HTML${shown}. Is a proxy, a login or a web site in front of the API?`
  }
  if (status === 401 || status === 403)
    return `answered ${status}: the service does not accept the key for ${area}. Give another with --key.`
  if (isSuccess || status >= 500) return undefined
  return `answered ${status}. Is it the address of ${serviceNames[area]}? Requests go to /${area} below it.`
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
