import type { SeenRequest, ShownRequest } from '../seen-request.ts'
import { cardRules } from './rules.ts'
import type { Rule, RuleReport, Watch } from './rule.ts'

/** What a rule found. */
export interface RuleGrade extends Pick<Rule, 'title' | 'why' | 'exercise'> {
  /** `retry-after-honoured`. */
  readonly rule: string
  /** `not exercised` if the requests show neither. */
  readonly result: 'passed' | 'failed' | 'not exercised'
  /** How often the client kept the rule, and how often it broke it. */
  readonly passed: number
  readonly failed: number
  /** The first requests that show the result. */
  readonly examples: readonly RuleExample[]
}

/** Requests in which a client kept or broke a rule. */
export interface RuleExample {
  /** What the client did wrong; absent if it kept the rule. */
  readonly message?: string
  readonly requests: readonly ShownRequest[]
}

/** How a client behaved, rule by rule. */
export interface ReportCard {
  /** The number of requests that it is based on. */
  readonly requests: number
  readonly rules: readonly RuleGrade[]
}

const maxExamples = 5

/** The findings of a rule so far. */
interface Tally {
  passed: number
  failed: number
  readonly kept: RuleExample[]
  readonly broken: RuleExample[]
}

/** Follows the requests of worlds, and grades the client that sent them. */
export class CardWriter {
  #requests = 0
  readonly #tallies = cardRules.map((): Tally => ({ passed: 0, failed: 0, kept: [], broken: [] }))
  /** The worlds that it follows, the one that has been idle longest first. */
  readonly #open = new Set<OpenWorld>()

  /** Starts to follow a world. Beyond 200, it stops following the world that has been idle longest. */
  open(): OpenWorld {
    const world: OpenWorld = {
      watches: cardRules.map((rule, index) => rule.watch(toRuleReport(this.#tallies[index]!))),
    }
    this.#open.add(world)
    if (this.#open.size > 200) this.#end(this.#open.values().next().value!)
    return world
  }

  see(world: OpenWorld, request: SeenRequest): void {
    this.#requests++
    if (!this.#open.delete(world)) return
    this.#open.add(world)
    for (const watch of world.watches) watch.see(request)
  }

  /** Stops following a world. */
  #end(world: OpenWorld): void {
    if (!this.#open.delete(world)) return
    for (const watch of world.watches) watch.end?.()
  }

  /** Stops following all worlds, and returns the card. */
  close(): ReportCard {
    for (const world of this.#open) this.#end(world)
    return {
      requests: this.#requests,
      rules: cardRules.map(({ name, title, why, exercise }, index) => {
        const { passed, failed, kept, broken } = this.#tallies[index]!
        return {
          rule: name,
          title,
          result: failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not exercised',
          passed,
          failed,
          why,
          exercise,
          examples: failed > 0 ? broken : kept.slice(0, 1),
        }
      }),
    }
  }
}

/** A world that is followed, and the watch of each rule in it. */
export interface OpenWorld {
  readonly watches: readonly Watch[]
}

function toRuleReport(tally: Tally): RuleReport {
  return {
    pass(...requests) {
      tally.passed++
      if (tally.kept.length === 0) tally.kept.push({ requests: requests.map((request) => request.show()) })
    },
    fail(message, ...requests) {
      tally.failed++
      if (tally.broken.length < maxExamples)
        tally.broken.push({ message, requests: requests.map((request) => request.show()) })
    },
  }
}

/** Merges the cards of several processes. */
export function mergeCards(cards: readonly ReportCard[]): ReportCard {
  const [first] = cards
  if (!first || cards.length === 1) return first ?? new CardWriter().close()
  return {
    requests: cards.reduce((sum, { requests }) => sum + requests, 0),
    rules: first.rules.map((rule) => {
      const found = cards.flatMap(({ rules }) => rules.filter((other) => other.rule === rule.rule))
      const passed = found.reduce((sum, one) => sum + one.passed, 0)
      const failed = found.reduce((sum, one) => sum + one.failed, 0)
      const result = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not exercised'
      const shown = found.filter((one) => one.result === result).flatMap(({ examples }) => examples)
      return { ...rule, result, passed, failed, examples: shown.slice(0, failed > 0 ? maxExamples : 1) }
    }),
  }
}
