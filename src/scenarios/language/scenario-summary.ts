import { suggest } from '../../core/text/messages.ts'
import type { ConditionName } from './condition.ts'
import type { OptionDeclaration } from './options.ts'

/** The description of a scenario, and its options. */
export interface ScenarioSummary {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The behaviour of a client that it tests. */
  readonly covers: string
  /** The targets with default options: `plants`, `apps`, `payments`, `webhooks`. */
  readonly acts_on: readonly string[]
  /** Search words: `429`, `retry`. */
  readonly tags: readonly string[]
  readonly options: Readonly<Record<string, OptionDeclaration>>
  /** How it can be narrowed in addition to its options: `on`, `account`, `key`, `plan`, `times`. */
  readonly conditions: readonly ConditionName[]
  /** True if it comes with the package. */
  readonly bundled: boolean
  /** The path of its file, if it was loaded from your own file. */
  readonly file?: string
  /**
   * The fault that needs a connection, with the default options: `reset`. MSW has no connection and
   * refuses the scenario.
   */
  readonly needs_connection?: string
  /** Why it can't be used here, with the default options: a proxy or MSW can't produce it. */
  readonly rejected?: string
}

const places: readonly ((scenario: ScenarioSummary) => readonly string[])[] = [
  ({ name }) => [name],
  ({ title }) => [title],
  ({ tags }) => tags,
  ({ description, covers, options }) => [
    description,
    covers,
    ...Object.entries(options).flatMap(([option, { description: meaning = '', values = [] }]) => [
      option,
      meaning,
      ...values.map(String),
    ]),
  ],
]

/**
 * The best match comes first: a word counts most in the name, then in the title, then in the tags.
 */
export function searchScenarios(
  scenarios: readonly ScenarioSummary[],
  search: string,
): ScenarioSummary[] {
  const words = toSearchWords(search)
  return scenarios
    .map((scenario) => ({ scenario, rank: rankOf(scenario, words) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .map(({ scenario }) => scenario)
}

export function suggestSearch(scenarios: readonly ScenarioSummary[], search: string): string {
  const texts = scenarios.flatMap((scenario) =>
    places.slice(0, 3).flatMap((textsOf) => textsOf(scenario)),
  )
  const known = [...new Set(texts.flatMap((text) => [text.toLowerCase(), ...toSearchWords(text)]))]
  const missing = toSearchWords(search).find((word) =>
    scenarios.every((scenario) => rankOf(scenario, [word]) === Infinity),
  )
  if (missing === undefined) return ''
  return suggest(missing, known)
}

function rankOf(scenario: ScenarioSummary, words: readonly string[]): number {
  let rank = 0
  for (const word of words) {
    const index = places.findIndex((textsOf) =>
      textsOf(scenario).some((text) => hasWord(text.toLowerCase(), word)),
    )
    rank += index < 0 ? Infinity : index
  }
  return rank
}

/** Returns whether a string contains a word. A number must be a whole word: 500 is not in 5000. */
function hasWord(text: string, word: string): boolean {
  if (/^[0-9]+$/.test(word)) return toSearchWords(text).includes(word)
  return text.includes(word)
}

function toSearchWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9-]+/g) ?? []
}
