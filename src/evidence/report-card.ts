import { countOf, countTimes, describeMore } from '../core/text/messages.ts'
import {
  type Cell,
  type CommandReport,
  type ReportCase,
  type Span,
  toMarkdown,
  toPlain,
} from '../output/reports.ts'
import { retryRules } from './retry-rules.ts'
import {
  type RuleReport,
  type RuleText,
  type SeenRequest,
  type ShownRequest,
  toRequestLine,
  type Watch,
} from './rule.ts'
import { usageRules } from './rules.ts'

const cardRules = [...retryRules, ...usageRules]

export const cardRuleNames = cardRules.map(({ name }) => name)

/** The findings of a rule. */
export interface RuleGrade extends RuleText {
  /** `retry-after-honoured`. */
  readonly rule: string
  /** `not exercised` if the requests show neither. */
  readonly result: 'passed' | 'failed' | 'not exercised'
  /** How often the client kept the rule, and how often it broke it. */
  readonly passed: number
  readonly failed: number
  /** The first requests that show the result. */
  readonly examples: readonly RuleExample[]
  /** The operations for which no other world or process fails the client any more. */
  readonly cleared?: readonly string[]
}

/** Requests in which a client kept or broke a rule. */
export interface RuleExample {
  /** The client's mistake; absent if it kept the rule. */
  readonly message?: string
  readonly requests: readonly ShownRequest[]
  /** The operation, if the client did wrong only because no world of the run clears it. */
  readonly operation?: string
}

/** How a client behaved, rule by rule. */
export interface ReportCard {
  /** The number of requests that it is based on. */
  readonly requests: number
  readonly rules: readonly RuleGrade[]
}

/** The most examples of a broken rule that a card keeps. */
const maxExamples = 1_000

/** The findings of a rule so far, in all worlds. */
class Tally {
  passed = 0
  failed = 0
  /** Examples of the rule kept, and of it broken. */
  readonly kept: RuleExample[] = []
  readonly broken: RuleExample[] = []
  /** The failures of the client that count unless their operation is cleared, by operation. */
  readonly suspected = new Map<string, RuleExample>()
  readonly cleared = new Set<string>()
}

/** The most worlds that a card follows at once. */
const maxFollowed = 200

/**
 * Grades a client by the requests of worlds. Of too many worlds, it stops following the one that
 * has been idle longest.
 */
export function createCardWriter() {
  let requests = 0
  const tallies = cardRules.map((rule) => ({
    rule,
    tally: new Tally(),
  }))
  const startWatches = () => tallies.map(({ rule, tally }) => rule.watch(toReport(tally)))
  /** The watches of a world's present journal. A reset world counts as another one. */
  const watchesOfJournal = new WeakMap<object, readonly Watch[]>()
  /** The watches that still follow their worlds, those of the world that is idle longest first. */
  const followed = new Set<readonly Watch[]>()
  const end = (watches: readonly Watch[]) => {
    followed.delete(watches)
    for (const watch of watches) watch.end?.()
  }
  return {
    see(journal: object, request: SeenRequest): void {
      requests++
      let watches = watchesOfJournal.get(journal)
      if (!watches) watchesOfJournal.set(journal, (watches = startWatches()))
      else if (!followed.delete(watches)) return
      followed.add(watches)
      const [idlest = watches] = followed
      if (followed.size > maxFollowed) end(idlest)
      for (const watch of watches) watch.see(request)
    },
    /** Stops following all worlds, and returns the card. */
    close(): ReportCard {
      for (const watches of followed) end(watches)
      const rules = tallies.map(({ rule, tally }) =>
        toGrade(
          {
            ...rule,
            rule: rule.name,
          },
          tally,
        ),
      )
      return { requests, rules }
    },
  }
}

function toReport(tally: Tally): RuleReport {
  return {
    pass(...shown) {
      tally.passed++
      if (tally.kept.length === 0) tally.kept.push({ requests: shown.map((one) => one.show()) })
    },
    fail(message, ...shown) {
      tally.failed++
      if (tally.broken.length < maxExamples)
        tally.broken.push({
          message,
          requests: shown.map((one) => one.show()),
        })
    },
    suspect(operation, message, past) {
      if (!tally.suspected.has(operation))
        tally.suspected.set(operation, {
          message,
          requests: [past.show()],
          operation,
        })
    },
    clear: (operation) => void tally.cleared.add(operation),
  }
}

function toGrade(
  { rule, title, why, exercise }: RuleText & { readonly rule: string },
  { passed, failed, kept, broken, suspected, cleared }: Tally,
): RuleGrade {
  const suspects = [...suspected].filter(([operation]) => !cleared.has(operation))
  const failedSuspects = suspects.map(([, suspect]) => suspect)
  const failures = [...failedSuspects, ...broken]
  const grade = {
    rule,
    title,
    passed,
    failed: failed + failedSuspects.length,
    why,
    exercise,
    cleared: [...cleared],
  }
  if (grade.failed > 0)
    return {
      ...grade,
      result: 'failed',
      examples: failures.slice(0, maxExamples),
    }
  return {
    ...grade,
    result: passed > 0 ? 'passed' : 'not exercised',
    examples: kept.slice(0, 1),
  }
}

/** Makes one card of those of several processes. */
export function mergeCards(cards: readonly ReportCard[]): ReportCard {
  const [first] = cards
  if (!first || cards.length === 1) return first ?? createCardWriter().close()
  return {
    requests: cards.reduce((sum, { requests }) => sum + requests, 0),
    rules: first.rules.map((grade) => {
      const tally = new Tally()
      for (const { rules } of cards)
        for (const other of rules) if (other.rule === grade.rule) addToTally(tally, other)
      return toGrade(grade, tally)
    }),
  }
}

function addToTally(tally: Tally, { result, passed, failed, examples, cleared = [] }: RuleGrade) {
  tally.passed += passed
  tally.failed += failed
  for (const operation of cleared) tally.cleared.add(operation)
  for (const example of examples) {
    if (result !== 'failed') tally.kept.push(example)
    else if (example.operation === undefined) tally.broken.push(example)
    else {
      // A suspicion counts as a failure only in the result: another card may clear it.
      tally.failed--
      tally.suspected.set(example.operation, example)
    }
  }
}

/** The most examples of a rule that a terminal gets. */
const maxPrinted = 3

const marks = {
  passed: '✓',
  failed: '✗',
  'not exercised': '·',
} as const

/** Formats a card for a terminal: failed rules first, with the requests that broke them. */
export function toCardText({ requests, rules }: ReportCard): string {
  const withResult = (result: RuleGrade['result']) => rules.filter((rule) => rule.result === result)
  const lines = [`${toHeading(requests)}:`]
  for (const { rule, title, why, failed, examples } of withResult('failed')) {
    lines.push(`  ${marks.failed} ${rule}: ${title}`, `      ${why} Broken ${countTimes(failed)}:`)
    for (const { message, requests } of examples.slice(0, maxPrinted))
      lines.push(`      ${message}`, ...requests.map((one) => `        ${toRequestLine(one)}`))
    lines.push(...describeMore(failed, maxPrinted).map((more) => `      ${more}`))
  }
  for (const { rule, title, passed } of withResult('passed'))
    lines.push(`  ${marks.passed} ${rule}: ${title} (${countTimes(passed)})`)
  for (const [exercise, names] of byExercise(withResult('not exercised')))
    lines.push(`  ${marks['not exercised']} ${names.join(', ')}: ${exercise}`)
  const count = (result: RuleGrade['result']) => `${withResult(result).length} ${result}`
  lines.push(`  ${count('passed')}, ${count('failed')}, ${count('not exercised')}`)
  return lines.join('\n') + '\n'
}

function toHeading(requests: number): string {
  return `Report card, from ${countOf(requests, 'request')}`
}

/** Groups rules by their `exercise`: all kinds of malformed replies are one group. */
function byExercise(rules: readonly RuleGrade[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { rule, exercise } of rules) {
    const text = exercise.replace(/kind: '[^']+'/, 'kind: …')
    groups.set(text, [groups.get(text) ?? [], rule].flat())
  }
  return groups
}

/** @param gates the rules that fail a run */
export function toCardReport(card: ReportCard, gates: readonly string[] = []): CommandReport {
  const { requests, rules } = card
  return {
    name: 'report-card',
    title: toHeading(requests),
    text: toCardText(card),
    sections: [
      {
        columns: ['', 'rule', 'the client …', ''],
        rows: rules.map(toRuleRow),
      },
      ...rules.filter(({ failed }) => failed > 1).map(toSection),
    ],
    suites: {
      'greenhouse-mock report card': rules.map((rule) =>
        toReportCase(rule, gates.includes(rule.rule)),
      ),
    },
    data: card,
  }
}

function toRuleRow({ rule, title, result, why, exercise, examples: [first] }: RuleGrade): Cell[] {
  const message = first?.message === undefined ? '' : `${first.message}: `
  const shown = result === 'not exercised' ? exercise : [message, ...requestsInOrder(first)]
  return [`${marks[result]} ${result}`, { code: rule, why }, title, shown]
}

/** Lists everything that broke a rule: the table has only the first example. */
function toSection({ rule, failed, examples }: RuleGrade) {
  const notes: Cell[] = examples.map((example) => [
    `${example.message}: `,
    ...requestsInOrder(example),
  ])
  return {
    title: `${rule}, broken ${countTimes(failed)}`,
    notes: [...notes, ...describeMore(failed, examples.length)],
  }
}

function toReportCase(grade: RuleGrade, isGate: boolean): ReportCase {
  const { rule, title, result, why, exercise, examples } = grade
  const [first] = examples
  const row = {
    owner: rule,
    name: title,
  }
  if (result === 'not exercised')
    return {
      ...row,
      skipped: `not exercised: ${exercise}`,
    }
  if (result === 'passed') return row
  const message = `${first?.message}: ${toPlain(requestsInOrder(first))}. ${why}`
  const text = toSection(grade).notes.map(toPlain).join('\n')
  return {
    ...row,
    failed: {
      message,
      text: `${text}\n`,
    },
    isAllowed: !isGate,
  }
}

/** Writes the requests of an example: `GET /plants 429, then GET /plants 200`. */
function requestsInOrder(example: RuleExample | undefined): Span[] {
  const { requests = [] } = example ?? {}
  return requests.flatMap(({ request, status }, at) => [
    at > 0 ? ', then ' : '',
    { code: request },
    ` ${status}`,
  ])
}

/** Formats a card as a Markdown table, for a pull request. */
export function toCardMarkdown(card: ReportCard): string {
  return toMarkdown(toCardReport(card))
}
