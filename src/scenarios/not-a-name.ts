import { quote } from '../core/definitions/quote.ts'

/**
 * Returns advice for a user who gave a scenario or its file instead of a name; empty for a possible name. @param
 * effects the members of scenarios. @param known the known names.
 */
export function adviseName(given: string, effects: readonly string[], known: readonly string[]): string {
  if (given.startsWith('{') || given.startsWith('[') || effects.includes(given))
    return ' Only names go here. Give a scenario whole to world.use() or, as JSON, to PUT /__greenhouse/worlds/{world}/scenarios; or save it in a folder, and name the folder with --scenarios.'
  const name = nameOfFile(given)
  if (name === undefined) return ''
  if (known.includes(name)) return ` Did you mean ${quote(name)}?`
  return ` Only names go here, no files. Name the folder of the file with --scenarios, or give it to loadScenarios(): the scenario's name is then ${quote(name)}.`
}

/** `my-outage` of `./my-outage.yaml`. */
function nameOfFile(path: string): string | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const ending = ['.yaml', '.yml', '.json'].find((ending) => file.endsWith(ending)) ?? ''
  if (ending === '' && file === path) return undefined
  return file.slice(0, file.length - ending.length)
}
