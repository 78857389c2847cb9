import { suggest } from '../core/definitions/suggest.ts'
import type { ScenarioSummary } from './library.ts'

/** The texts of a scenario, the most important first. */
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
 * The scenarios that have every word of a search, in their names, titles, tags, sentences or options, in any letter case.
 * Those that have a word in the name come first, then those that have it in the title, then the rest.
 */
export function searchScenarios(scenarios: readonly ScenarioSummary[], search: string): ScenarioSummary[] {
  const words = toWords(search)
  return scenarios
    .map((scenario) => ({ scenario, rank: rankOf(scenario, words) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .map(({ scenario }) => scenario)
}

/** What to search for in place of words that found nothing: ` Did you mean "retry"?`. */
export function suggestSearch(scenarios: readonly ScenarioSummary[], search: string): string {
  const known = [
    ...new Set(
      scenarios.flatMap((scenario) =>
        places
          .slice(0, 3)
          .flatMap((textsOf) => textsOf(scenario).flatMap((text) => [text.toLowerCase(), ...toWords(text)])),
      ),
    ),
  ]
  const missing = toWords(search).find((word) => scenarios.every((scenario) => rankOf(scenario, [word]) === Infinity))
  return missing === undefined ? '' : suggest(missing, known)
}

/** The sum over the words of the first place that has each; `Infinity` where one is nowhere. */
function rankOf(scenario: ScenarioSummary, words: readonly string[]): number {
  let rank = 0
  for (const word of words) {
    const place = places.findIndex((textsOf) => textsOf(scenario).some((text) => holds(text.toLowerCase(), word)))
    rank += place < 0 ? Infinity : place
  }
  return rank
}

/** A number must stand by itself: 500 is not in 5000. */
function holds(text: string, word: string): boolean {
  return isNumber(word) ? toWords(text).includes(word) : text.includes(word)
}

function isNumber(word: string): boolean {
  return [...word].every((character) => character >= '0' && character <= '9')
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9-]/)
    .filter((word) => word !== '')
}
