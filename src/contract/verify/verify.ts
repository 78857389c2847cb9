import { areaOf, type VerifyRule } from './definitions.ts'
import { gaps } from './gaps/index.ts'
import { mapStrings } from '../../greenhouse/inspect/map-strings.ts'
import type { AssumptionId } from '../../greenhouse/types/names.ts'
import type { Need } from './need.ts'
import { sweepPlants } from './sweep.ts'
import { checkReachable } from './reach.ts'
import { replyChecks } from './reply-checks.ts'
import { verifyRules } from './rules/index.ts'
import { Session, type SessionOptions } from './session.ts'
import type { GapResult, VerifyReport, RuleResult } from './result.ts'
import { Broken, NoReply, Stopped, Unseen, type GapFinding, type UnseenResult, type RuleVerdict } from './verdict.ts'
import { replyRules } from './rules/replies.ts'
import { documentRules } from './document-rules.ts'
import { areas, assumptionRegistry } from '../../greenhouse/assembly/catalogue.ts'

export interface VerifyOptions extends SessionOptions {
  readonly only?: ((id: string) => boolean) | undefined
}

/** The fields of a report that no server writes: a key such as "expired" stays in the id of a rule. */
const ownFields = new Set(['id', 'area', 'words', 'source', 'outcome', 'question', 'standard', 'value'])

export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { only = () => true, targets } = options
  const isWanted = (one: Pick<VerifyRule, 'id'>) => only(one.id) && targets[areaOf(one)] !== undefined
  const session = new Session(options)
  const checks = replyChecks(session, replyRules)
  const documents = documentRules(session)
  await checkReachable(session)
  const found: RuleResult[] = []
  const seen: GapResult[] = []
  const left: string[] = []
  let ended: string | undefined
  const look = async (isNow: (needs: readonly Need[] | undefined) => boolean) => {
    for (const rule of verifyRules.filter((one) => isWanted(one) && isNow(one.needs))) {
      const verdict = await judge(session, rule, async (): Promise<RuleVerdict> => {
        try {
          await rule.probe(session)
          return { outcome: 'kept' }
        } catch (error) {
          if (error instanceof Broken) return { outcome: 'broken', why: error.message, reply: error.reply }
          throw error
        }
      })
      found.push({ ...toHead(rule), ...verdict })
    }
    for (const gap of gaps.filter((one) => isWanted(one) && isNow(one.needs))) {
      const finding = await judge(session, gap, () => gap.look(session))
      if (finding.outcome === 'value') session.learned.set(gap.id, finding.value)
      seen.push({ id: gap.id, ...toQuestion(gap.id), ...finding })
    }
  }
  try {
    await provoke(session)
    await look((needs = []) => !needs.includes('rate-limit'))
    // Nothing can be deleted while the limit is spent.
    left.push(...(await session.cleanUp()))
    left.push(...(await sweepPlants(session, countPlants(left))))
    await look((needs = []) => needs.includes('rate-limit'))
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    ended = error.message
  } finally {
    left.push(...(await session.cleanUp()))
    // A stopped run has not deleted these yet.
    if (ended !== undefined) left.push(...(await sweepPlants(session, countPlants(left))))
  }
  found.push(
    ...replyRules.filter(isWanted).map((rule) => ({ ...toHead(rule), ...checks(rule) })),
    ...documents().filter(({ id }) => only(id)),
  )
  for (const [id, why] of Object.entries(unobservable))
    if (only(id) && targets.apps !== undefined) seen.push({ id, ...toQuestion(id), outcome: 'unseen', why })
  const order = assumptionRegistry.list().map(({ id }) => id)
  const report: VerifyReport = {
    targets,
    rules: found,
    gaps: seen.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
    left,
    bought: session.bought,
    ended,
  }
  return mapStrings(report, (text, name) => (ownFields.has(name) ? text : session.redact(text))) as VerifyReport
}

function countPlants(left: readonly string[]): number {
  return left.filter((one) => one.startsWith('the plant ')).length
}

async function judge<T extends RuleVerdict | GapFinding>(
  session: Session,
  { needs }: Pick<VerifyRule, 'needs'>,
  find: () => Promise<T>,
): Promise<T | UnseenResult> {
  const lack = session.lacks(needs)
  if (lack !== undefined) return { outcome: 'unseen', why: lack }
  if (session.client.isLost) throw new Stopped('The server no longer answers.')
  try {
    return await find()
  } catch (error) {
    if (error instanceof Unseen) return { outcome: 'unseen', why: error.message, among: error.among }
    if (error instanceof NoReply) return { outcome: 'unseen', why: error.message, noReply: true }
    throw error
  }
}

function toHead({ id, words }: Pick<VerifyRule, 'id' | 'words'>) {
  return { id, area: areaOf({ id }), words, source: 'stated' as const }
}

function toQuestion(id: string) {
  const { question, values } = assumptionRegistry.list().find((assumption) => assumption.id === id)!
  return { question, standard: values[0] }
}

export function knownIds(): readonly string[] {
  const { operations } = areas.find(({ name }) => name === 'apps')!
  return [...verifyRules, ...replyRules, ...assumptionRegistry.list()]
    .map(({ id }) => id)
    .concat(operations.map(({ id }) => `document.${id}`))
}

const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected': 'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows only days after an unpaid renewal',
  'payments.unpaid': 'it shows only days after an unpaid renewal',
}

/** Provokes errors that no rule needs, so that the rules of every reply see them. */
async function provoke(session: Session): Promise<void> {
  const { client, options } = session
  if (!options.allowWrites) return
  try {
    if (options.targets.apps !== undefined) {
      await client.call('apps', 'PATCH', '/apps', { body: {} })
      await client.call('apps', 'POST', '/apps', {
        body: 'greenhouse-verify',
        headers: { 'Content-Type': 'text/plain' },
      })
      await client.call('apps', 'GET', '/greenhouse-verify')
    }
    if (options.targets.plants !== undefined) await client.call('plants', 'PATCH', '/plants', { body: {} })
  } catch (error) {
    if (!(error instanceof NoReply || error instanceof Unseen)) throw error
  }
}
