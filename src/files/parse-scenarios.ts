import { rejectSecond, withCallerStack } from '../core/contract/options.ts'
import { DataError } from '../core/contract/problem.ts'
import { checkArgument, object } from '../core/store/options.ts'
import { parseYaml } from './yaml.ts'

const textsByName = object('an object of YAML texts by name, such as { "out-of-pots": text }')

/**
 * Reads scenarios from YAML or JSON texts, for a page, which has no folders. `createGreenhouse`
 * checks them.
 * @param texts the texts by name. A path counts as the name of its file, so that Vite's
 * `import.meta.glob` can give them.
 * @example
 * import outOfPots from './scenarios/out-of-pots.yaml?raw'
 * createGreenhouse({ scenarios: parseScenarios({ 'out-of-pots': outOfPots }) })
 * @throws DataError with the line and column of every mistake in YAML.
 */
export function parseScenarios<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): Record<Name, object> {
  return withCallerStack(parseScenarios, () => {
    rejectSecond('parseScenarios', arguments, 'Put all texts into one object.')
    checkArgument('parseScenarios', 'the first argument', texts, textsByName)
    const files = Object.entries(texts).map(([path, text]) => parseYaml(path, String(text)))
    const problems = files.flatMap((file) => file.problems)
    if (problems.length > 0) throw new DataError('the scenarios', problems)
    const named = files.map(({ file, data }) => [nameOfFile(file), data])
    return Object.fromEntries(named) as Record<Name, object>
  })
}

/** Returns the name of the scenario in a file: `out-of-pots` of `./scenarios/out-of-pots.yaml`. */
export function nameOfFile(path: string): string {
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  return path.slice(start).replace(/\.(ya?ml|json)$/, '')
}
