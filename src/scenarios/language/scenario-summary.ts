import { quote, suggest } from '../../core/text/messages.ts'
import type { ConditionName } from './condition.ts'
import type { OptionDeclaration } from './options.ts'
import { effectKinds } from './schema.ts'

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
    .map((scenario) => ({
      scenario,
      rank: rankOf(scenario, words),
    }))
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

interface ScenarioNames {
  /** The names of all scenarios. */
  readonly scenarios: readonly string[]
  /** Other names that fit in the place of this one. */
  readonly others: readonly string[]
  /** Returns the name of the scenario that fits best to some words. */
  find(words: string): string | undefined
}

/** Says what to write instead of a name that no scenario has, as the next sentence. */
export function adviseName(given: string, { scenarios, others, find }: ScenarioNames): string {
  const several = given.split(',').map((part) => part.trim())
  if (several.length > 1 && several.every((part) => scenarios.includes(part.split(':', 1).join())))
    return ` Pass each one separately: ${several.map(quote).join(', ')}.`
  if (given.includes('=') && !given.includes(':'))
    return ' Write options after the name of their scenario and a colon, such as slow:ms=800.'
  const known = [...others, ...scenarios]
  const name = given.replace(/^.*[/\\]/, '').replace(/\.(yaml|yml|json)$/, '')
  if (known.includes(name)) return ` Did you mean ${quote(name)}?`
  const isEffect = effectKinds.some((kind) => kind.name === given)
  if (name !== given || /^[{[]/.test(given) || isEffect)
    return ' Only names are accepted here. Name the folder of a file with --scenarios, or pass the folder to loadScenarios(). Pass an inline scenario to world.use() or, as JSON, to PUT /__greenhouse/worlds/{world}/scenarios.'
  return suggest(given, known) || adviseSearch(given, find)
}

function adviseSearch(given: string, find: ScenarioNames['find']): string {
  const words = given.slice(0, 100).split(/[^A-Za-z0-9]+/)
  const found = words.every((word) => word.length > 3) ? find(words.join(' ')) : undefined
  if (found !== undefined) return ` Did you mean "${found}"?`
  return ' "npx greenhouse-mock scenario list --search WORDS" finds scenarios.'
}
