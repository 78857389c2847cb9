import { quote, suggest } from '../../core/text/messages.ts'
import { effectKinds } from './schema.ts'

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
    return ` Write options after the name of their scenario and a colon, such as ${withColon(given.slice(0, 40), scenarios)}.`
  const known = [...others, ...scenarios]
  return adviseForm(given, known) || suggest(given, known) || adviseSearch(given, find)
}

/** Returns options with the name that they begin with, or with `slow`: `slow ms=5` is `slow:ms=5`. */
function withColon(options: string, scenarios: readonly string[]): string {
  const [name = '', ...rest] = options.split(/[\s,]+/)
  if (scenarios.includes(name)) return `${name}:${rest.join(',')}`
  return `slow:${options}`
}

/** An inline scenario or a file was given, where only names are accepted. */
function adviseForm(given: string, known: readonly string[]): string {
  const isEffect = effectKinds.some((kind) => kind.name === given)
  if (given.startsWith('{') || given.startsWith('[') || isEffect)
    return ' Only names are accepted here. Pass an inline scenario to world.use() or, as JSON, to PUT /__greenhouse/worlds/{world}/scenarios; or save it as a file, and name its folder with --scenarios.'
  const name = nameIfFile(given)
  if (name === undefined) return ''
  if (known.includes(name)) return ` Did you mean ${quote(name)}?`
  return ` Only names are accepted here, not files. Name the folder of the file with --scenarios, or pass the folder to loadScenarios(): the scenario's name is then ${quote(name)}.`
}

function nameIfFile(path: string): string | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const ending = ['.yaml', '.yml', '.json'].find((ending) => file.endsWith(ending)) ?? ''
  if (ending === '' && file === path) return undefined
  return file.slice(0, file.length - ending.length)
}

function adviseSearch(given: string, find: ScenarioNames['find']): string {
  const words = given.slice(0, 100).split(/[^A-Za-z0-9]+/)
  const found = words.every((word) => word.length > 3) ? find(words.join(' ')) : undefined
  if (found !== undefined) return ` Did you mean "${found}"?`
  return ' "npx greenhouse-mock scenario list --search WORDS" finds scenarios.'
}
