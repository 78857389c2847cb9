import { rejectSecondArgument, withCallerStack } from '../core/contract/options.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { checkArgument, object, text } from '../core/store/options.ts'
import { parseYaml } from './yaml.ts'

const textsByName = object('an object of YAML texts by name, such as { "out-of-pots": text }')

const yamlText = text(
  'a YAML text, which import.meta.glob gives with { query: "?raw", import: "default", eager: true }',
  () => true,
)

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
    rejectSecondArgument('parseScenarios', arguments, 'Put all texts into one object.')
    checkArgument('parseScenarios', 'the first argument', texts, textsByName)
    const files = Object.entries<string>(texts).map(([path, written]) => {
      checkArgument('parseScenarios', path, written, yamlText)
      return parseYaml(path, written)
    })
    const problems = files.flatMap((file, at) => [
      ...file.problems,
      ...findNamesake(file.file, files.slice(0, at)),
    ])
    if (problems.length > 0) throw new DataError('the scenarios', problems)
    const named = files.map(({ file, data }) => [nameOfFile(file), data])
    return Object.fromEntries(named) as Record<Name, object>
  })
}

/** Returns the problem of a file whose scenario has the name of an earlier one. */
export function findNamesake(
  file: string,
  earlier: readonly { readonly file: string }[],
): Problem[] {
  const name = nameOfFile(file)
  const namesake = earlier.find((other) => nameOfFile(other.file) === name)
  if (!namesake) return []
  return [
    {
      file,
      path: [],
      message: `the name "${name}" is taken already, by ${namesake.file}`,
    },
  ]
}

/** Returns the name of the scenario in a file: `out-of-pots` of `./scenarios/out-of-pots.yaml`. */
export function nameOfFile(path: string): string {
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  return path.slice(start).replace(/\.(ya?ml|json)$/, '')
}
