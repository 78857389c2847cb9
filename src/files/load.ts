import { atCaller } from '../core/definitions/at-caller.ts'
import { basename } from 'node:path'
import { collections, contract } from '../greenhouse/assembly/catalogue.ts'
import { checkArgument, refuseSecond, text } from '../core/definitions/options.ts'
import { DataError, type Problem } from '../core/definitions/problem.ts'
import { checkFixtures, type Fixtures } from '../fixtures/check.ts'
import { checkScenario } from '../scenarios/check.ts'
import { freeze } from '../scenarios/checked.ts'
import { setFile } from '../scenarios/file.ts'
import { eachDataFile, readDataFolder } from './folder.ts'
import type { YamlFile } from './yaml.ts'

const folderPath = text('the path of a folder, such as "./fixtures"')

/**
 * Reads the fixtures in a folder's YAML and JSON files.
 * @example createGreenhouse({ fixtures: loadFixtures('./fixtures') })
 * @throws DataError with the file, line and column of every problem.
 */
export function loadFixtures(folder: string): Fixtures {
  return atCaller(loadFixtures, () => {
    refuseSecond('loadFixtures', arguments, 'Load each folder by a call of its own.')
    return readFixtures(folder)
  })
}

function readFixtures(folder: string): Fixtures {
  checkArgument('loadFixtures', 'the first argument', folder, folderPath)
  const files = readDataFolder(folder)
  assertSound(`the fixtures in ${folder}`, findFixtureProblems(files))
  const fixtures: Record<string, unknown[]> = {}
  for (const { data } of files)
    for (const [name, records] of Object.entries((data ?? {}) as Record<string, unknown[]>))
      fixtures[name] = (fixtures[name] ?? []).concat(records)
  return fixtures
}

/**
 * Reads the scenarios in a folder's YAML and JSON files, and checks them. Returns them by name, frozen.
 * @example createGreenhouse({ scenarios: loadScenarios('./scenarios') })
 * @throws DataError with the file, line and column of every problem.
 */
export function loadScenarios(folder: string): Record<string, unknown> {
  return atCaller(loadScenarios, () => {
    refuseSecond(
      'loadScenarios',
      arguments,
      'Load each folder by a call of its own: { ...loadScenarios("./a"), ...loadScenarios("./b") }.',
    )
    return readScenarios(folder)
  })
}

function readScenarios(folder: string): Record<string, unknown> {
  checkArgument('loadScenarios', 'the first argument', folder, folderPath)
  const steps = loadScenariosInSteps(folder)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Like `loadScenarios`; reads or checks one file in each step. */
export function* loadScenariosInSteps(folder: string): Generator<void, Record<string, unknown>> {
  const files: YamlFile[] = []
  for (const file of eachDataFile(folder)) {
    freeze(file.data)
    files.push(file)
    yield
  }
  const problems: Problem[] = []
  for (const place of files.keys()) {
    problems.push(...findProblemsAt(files, place))
    yield
  }
  assertSound(`the scenarios in ${folder}`, problems)
  for (const { file, data } of files) setFile(data as object, file)
  return Object.fromEntries(files.map((file) => [toScenarioName(file), file.data]))
}

/** Returns all problems of fixture files. */
export function findFixtureProblems(files: readonly YamlFile[]): Problem[] {
  return [...files.flatMap((file) => file.problems), ...located(files, checkFixtures(files, collections))]
}

/** Returns all problems of scenario files. */
export function findScenarioProblems(files: readonly YamlFile[]): Problem[] {
  return files.flatMap((_, place) => findProblemsAt(files, place))
}

function findProblemsAt(files: readonly YamlFile[], place: number): Problem[] {
  const file = files[place]!
  if (file.problems.length > 0) return file.problems
  const name = toScenarioName(file)
  const namesake = files.slice(0, place).find((other) => toScenarioName(other) === name)
  const twice = namesake
    ? [{ file: file.file, path: [], message: `the name "${name}" is taken already, by ${namesake.file}` }]
    : []
  return located([file], [...twice, ...checkScenario(file.file, name, file.data, contract)])
}

function located(files: readonly YamlFile[], problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => files.find((file) => file.file === problem.file)!.locate(problem))
}

function toScenarioName({ file }: YamlFile): string {
  return basename(file).replace(/\.(ya?ml|json)$/, '')
}

function assertSound(what: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new DataError(what, problems)
}
