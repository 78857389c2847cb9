import { quote } from '../core/definitions/quote.ts'

export function adviseName(given: string, effects: readonly string[], known: readonly string[]): string {
  if (given.startsWith('{') || given.startsWith('[') || effects.includes(given))
    return ' Only names are accepted here. Pass an inline scenario to world.use() or, as JSON, to PUT /__greenhouse/worlds/{world}/scenarios; or save it as a file, and name its folder with --scenarios.'
  const name = nameOfFile(given)
  if (name === undefined) return ''
  if (known.includes(name)) return ` Did you mean ${quote(name)}?`
  return ` Only names are accepted here, not files. Name the folder of the file with --scenarios, or pass the folder to loadScenarios(): the scenario's name is then ${quote(name)}.`
}

function nameOfFile(path: string): string | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const ending = ['.yaml', '.yml', '.json'].find((ending) => file.endsWith(ending)) ?? ''
  if (ending === '' && file === path) return undefined
  return file.slice(0, file.length - ending.length)
}
