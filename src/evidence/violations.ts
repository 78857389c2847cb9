import { cached } from '../core/contract/cache.ts'
import type { ViolationRule } from '../core/journal/violation.ts'
import { countOf, countTimes, describeMore, toVisible } from '../core/text/messages.ts'
import type { CommandReport, ReportCase } from '../output/reports.ts'
import { type SeenRequest, type ShownRequest, toRequestLine } from './rule.ts'

/** One way in which requests of an operation broke the contract. */
export interface BrokenContract {
  readonly rule: ViolationRule
  /** `null` when no operation has the method and path. */
  readonly operation: string | null
  readonly message: string
  readonly count: number
  readonly requests: readonly ShownRequest[]
}

/**
 * The most ways that have an entry of their own: a client that makes up names could have any
 * number.
 */
const maxWays = 1_000
const maxRequests = 10_000
const maxPrinted = 20
const maxRequestsPrinted = 3

/** Collects violations. The first 10,000 requests are listed; the others are counted. */
export function createViolationList() {
  const ways = new Map<
    string,
    BrokenContract & {
      count: number
      readonly requests: ShownRequest[]
    }
  >()
  let listed = 0
  const add = ({ rule, operation, message, count, requests }: BrokenContract): void => {
    const key = JSON.stringify([rule, operation, message])
    const isKnown = ways.has(key) || ways.size < maxWays
    let way = {
      rule,
      operation,
      message,
    }
    if (!isKnown)
      way = {
        rule,
        operation: null,
        message: 'In more ways than are listed.',
      }
    const at = isKnown ? key : rule
    const known = cached(ways, at, () => ({
      ...way,
      count: 0,
      requests: [],
    }))
    known.count += count
    const shown = requests.slice(0, maxRequests - listed)
    listed += shown.length
    known.requests.push(...shown)
  }
  return {
    add,
    see(request: SeenRequest): void {
      const { operation = null, mistakes } = request
      for (const { rule, message } of mistakes)
        add({
          rule,
          operation,
          message,
          count: 1,
          requests: [request.show()],
        })
    },
    /** Returns them, the most frequent first. */
    all: (): BrokenContract[] => [...ways.values()].sort((one, other) => other.count - one.count),
  }
}

const noOperation = '(no operation)'

/** @param ignored rules that do not count. @param isGate whether a violation fails the run */
export function toViolationReport(
  all: readonly BrokenContract[],
  ignored: readonly ViolationRule[],
  isGate: boolean,
): CommandReport {
  const ways = all.filter(({ rule }) => !ignored.includes(rule))
  const total = ways.reduce((sum, { count }) => sum + count, 0)
  const title = `${countOf(total, 'violation')} of the contract`
  const none: ReportCase = {
    owner: 'violations',
    name: 'Every request keeps the contract',
  }
  return {
    name: 'violations',
    title,
    text: total === 0 ? '' : toViolationText(title, ways),
    sections: [
      {
        columns: ['rule', 'operation', 'count', ''],
        rows: ways.map(({ rule, operation, count, message }) => [
          { code: rule },
          { code: operation ?? noOperation },
          String(count),
          message,
        ]),
      },
      ...ways.map((way) => ({
        title: `${way.rule}, ${way.operation ?? noOperation}`,
        notes: listRequests(way, Infinity).map((code) => ({ code })),
      })),
    ],
    suites: {
      'greenhouse-mock violations':
        total === 0 ? [none] : ways.map((way) => toReportCase(way, isGate)),
    },
    data: { violations: total, ways },
  }
}

function toViolationText(title: string, ways: readonly BrokenContract[]): string {
  const groups = ways.slice(0, maxPrinted).map((way) => {
    const { rule, operation, count, message } = way
    const lines = [message, ...listRequests(way, maxRequestsPrinted)].map(
      (line) => `    ${toVisible(line)}\n`,
    )
    return `\n  ${rule}  ${operation ?? noOperation}  ${countOf(count, 'time')}\n${lines.join('')}`
  })
  const more = describeMore(ways.length, maxPrinted).map(
    (text) => `\n  ${text}: --artifacts DIR lists all.\n`,
  )
  return [`${title}:\n`, ...groups, ...more].join('')
}

function listRequests({ count, requests }: BrokenContract, most: number): string[] {
  const shown = requests.slice(0, most)
  return [...shown.map(toRequestLine), ...describeMore(count, shown.length)]
}

function toReportCase(way: BrokenContract, isGate: boolean): ReportCase {
  const { rule, operation, message, count, requests } = way
  const lines = listRequests(way, Infinity)
  return {
    owner: operation ?? noOperation,
    name: `${rule}: ${message}`,
    failed: {
      message: `${countTimes(count)}: ${requests[0]?.request}`,
      text: `${lines.join('\n')}\n`,
    },
    isAllowed: !isGate,
  }
}
