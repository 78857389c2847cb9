import { codedError } from '../core/text/error-codes.ts'
import { lstatSync, readFileSync, rmSync, statSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, resolve, isAbsolute, join, sep } from 'node:path'
import { withCallerStack, isObject } from '../core/contract/options.ts'
import { checkArgument, checkOptions, text } from '../core/store/options.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import type { Contract } from '../core/pipeline/area.ts'
import { freezeRecord } from '../core/store/record-index.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import { checkFixtures, type Fixtures } from '../fixtures/check.ts'
import {
  type ExtendingFixtures,
  type ResolvedFixtures,
  resolveFixtures,
} from '../fixtures/resolve.ts'
import { builtInCatalogue, assumptionRegistry } from '../catalogue/catalogue.ts'
import { toCatalogue } from '../api/assembly/create.ts'
import { type Catalogue, foldAreas } from '../catalogue/fold-areas.ts'
import { fixturesSchema } from '../api/options.ts'
import { type Additions, additionSchemas } from '../custom/definitions.ts'
import { findPlans } from '../custom/open-names.ts'
import { checkScenario, scenarioFiles } from '../scenarios/language/check.ts'
import { parseYaml, parseYamlBytes, toUnreadable, type YamlFile } from './yaml.ts'
import type { ScenarioFolder } from '../api/files-state.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { systemNow } from '../core/time/clock.ts'
import { rememberPlaces } from '../cases/start-from-case.ts'
import { toShownPath } from './find-config.ts'
import { findNamesake, nameOfFile } from './parse-scenarios.ts'
import { replaceFile } from './replace-file.ts'
import { findCaseProblems } from '../cases/format.ts'
import type { Case } from '../cases/generated/case.ts'

const folderPath = text('the path of a folder, such as "./fixtures"')

/**
 * Reads the fixtures in a folder's YAML and JSON files.
 * @param additions the plug-ins, operations and collections that the files may name. Names of
 * others are refused.
 * @example createGreenhouse({ fixtures: loadFixtures('./fixtures') })
 * @throws DataError with the file, line and column of every problem.
 */
export function loadFixtures(folder: string, additions?: Additions | number): Fixtures {
  return withCallerStack(loadFixtures, () =>
    readFixtures(folder, catalogueWith('loadFixtures', additions)),
  )
}

export function readFixtures(folder: string, known: Catalogue): Fixtures {
  checkArgument('loadFixtures', 'the first argument', folder, folderPath)
  const files = readDataFolder(folder)
  const { fixtures, problems } = checkFixtureFiles(files, known)
  assertNoProblems(`the fixtures in ${folder}`, problems)
  return fixtures
}

/**
 * Reads the scenarios in a folder's YAML and JSON files, and checks them. Returns them by name,
 * frozen.
 * @param additions the plug-ins, operations and collections that the files may name, and the
 * fixtures with plans of yours. Other names are refused.
 * @example createGreenhouse({ scenarios: loadScenarios('./scenarios') })
 * @throws DataError with the file, line and column of every problem.
 */
export function loadScenarios(
  folder: string,
  additions?:
    | (Additions & { readonly fixtures?: Fixtures | ExtendingFixtures | undefined })
    | number,
): Record<string, object> {
  return withCallerStack(loadScenarios, () =>
    readScenarios(folder, catalogueWith('loadScenarios', additions)),
  )
}

export function readScenarios(folder: string, known: Catalogue): Record<string, object> {
  checkArgument('loadScenarios', 'the first argument', folder, folderPath)
  return toScenarios(folder, readDataFolder(folder), known)
}

function toScenarios(
  folder: string,
  files: readonly YamlFile[],
  known: Catalogue,
): Record<string, object> {
  for (const file of files) {
    readRecordedBodies(folder, file)
    freezeRecord(file.data as object)
  }
  assertNoProblems(`the scenarios in ${folder}`, findScenarioProblems(files, known))
  for (const { file, data } of files) scenarioFiles.set(data as object, file)
  return Object.fromEntries(files.map((file) => [nameOfFile(file.file), file.data as object]))
}

/** Puts the bodies that a recording has in separate files into its replies. */
function readRecordedBodies(folder: string, { file, data, problems, locate }: YamlFile) {
  const items =
    isObject(data) && Array.isArray(data['recorded']) ? (data['recorded'] as unknown[]) : []
  const root = realpathSync(folder)
  for (const [index, item] of items.entries()) {
    const replies =
      isObject(item) && Array.isArray(item['replies']) ? (item['replies'] as unknown[]) : []
    for (const [position, reply] of replies.entries()) {
      if (!isObject(reply) || typeof reply['file'] !== 'string') continue
      try {
        const path = realpathSync(join(folder, reply['file']))
        if (!path.startsWith(root + sep)) throw new Error('it is outside the folder')
        Object.assign(reply, {
          base64: readFileSync(path).toString('base64'),
          file: undefined,
        })
      } catch (error) {
        const message = `can't be read: ${(error as Error).message}`
        problems.push(
          locate({
            file,
            path: ['recorded', index, 'replies', position, 'file'],
            message,
          }),
        )
      }
    }
  }
}

/** Returns the fixtures of files, their problems, and the catalogue with their plans. */
export function checkFixtureFiles(files: readonly YamlFile[], without: Catalogue) {
  const { documents, fixtures, problems } = resolveFiles(files, without.collections)
  const known = foldAreas(findPlans(documents, without), without)
  return {
    fixtures,
    known,
    problems: [
      ...problems,
      ...withLines(files, checkFixtures([...documents, ...known.fixtures], known.collections)),
    ],
  }
}

/**
 * Resolves `extends`, `remove` and `generate`. @param chain the paths of the files that extend
 * these
 */
function resolveFiles(
  files: readonly YamlFile[],
  collections: Catalogue['collections'],
  chain: readonly string[] = [],
): ResolvedFixtures {
  const problemsOfBases: Problem[] = []
  const { problems, ...resolved } = resolveFixtures(files, collections, (name, from) => {
    if (name === 'default')
      return bundledFixtures.map((data, index) => ({
        file: `default fixtures, ${index + 1}`,
        data,
      }))
    const path = resolve(dirname(from), name)
    const before = [...chain, resolve(from)]
    if (before.includes(path))
      return `extends itself: ${[...before.slice(before.indexOf(path)), path].join(' → ')}`
    let read: YamlFile[]
    try {
      read = statSync(path).isDirectory()
        ? readDataFolder(path)
        : [parseYamlBytes(path, readFileSync(path))]
    } catch (error) {
      return `cannot be read: ${(error as Error).message}. Expected "default", or a path relative to this file.`
    }
    const base = resolveFiles(read, collections, before)
    problemsOfBases.push(...base.problems)
    return base.documents
  })
  return {
    ...resolved,
    problems: [
      ...files.flatMap((file) => file.problems),
      ...problemsOfBases,
      ...withLines(files, problems),
    ],
  }
}

/** Checks scenario files. A file that cannot be parsed has only the problems of its text. */
export function findScenarioProblems(files: readonly YamlFile[], contract: Contract): Problem[] {
  return files.flatMap((file, index) => {
    if (file.problems.length > 0) return file.problems
    const name = nameOfFile(file.file)
    const twice = findNamesake(file.file, files.slice(0, index))
    const { problems } = checkScenario(file.file, name, file.data, contract)
    return withLines([file], [...twice, ...problems])
  })
}

/** Adds lines and columns to the problems that have none. */
function withLines(files: readonly YamlFile[], problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => {
    if (problem.line === undefined)
      return files.find((file) => file.file === problem.file)?.locate(problem) ?? problem
    return problem
  })
}

function assertNoProblems(what: string, problems: readonly Problem[]) {
  if (problems.length > 0) throw new DataError(what, problems)
}

/**
 * Returns the catalogue with what a user adds. @param additions a number when `map` passes its
 * index.
 */
function catalogueWith(
  call: 'loadFixtures' | 'loadScenarios',
  additions: Additions | number | undefined,
): Catalogue {
  if (additions === undefined || typeof additions === 'number') return builtInCatalogue
  checkOptions(
    call,
    additions,
    call === 'loadFixtures'
      ? additionSchemas
      : {
          ...additionSchemas,
          fixtures: fixturesSchema,
        },
  )
  return toCatalogue(additions)
}

export function loadAssumptions(file: string): Record<string, string> {
  const parsed = readYaml('file', file)
  const { data } = parsed
  const problems = [...parsed.problems]
  const choices: Record<string, string> = {}
  const report = (path: string[], message: string) =>
    problems.push(
      parsed.locate({
        file,
        path,
        message,
      }),
    )
  if (problems.length === 0 && data !== null && !isObject(data))
    report([], 'expected assumptions by id, such as plants.delete.unknown: 204')
  for (const [id, value] of Object.entries(isObject(data) ? data : {}))
    try {
      choices[id] = assumptionRegistry.check(id, typeof value === 'number' ? String(value) : value)
    } catch (error) {
      report([id], (error as Error).message)
    }
  assertNoProblems(`the assumptions in ${file}`, problems)
  return choices
}

/**
 * Returns the YAML and JSON files directly in a folder, by name, without hidden files (editors'
 * locks) and JSON schemas. A link that leads out of the folder is a problem and is not followed.
 * @throws Error if the folder cannot be read, or has no such file.
 */
export function readDataFolder(folder: string): YamlFile[] {
  const names = listData(folder)
  if (names.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Found no YAML or JSON files in the folder "${folder}": expected names that end in .yaml, .yml or .json.`,
    )
  const root = realpathSync(folder)
  return names.map((name) => readYamlFile(join(folder, name), root))
}

function listData(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json'))
      .sort()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      ENOTDIR: 'it is a file. Name the folder that it is in.',
      ENOENT: `there is no such folder.${describeStart(folder, code)}`,
    }
    const why = reasons[code ?? ''] ?? `${message}.`
    throw codedError('GREENHOUSE_INVALID_FILE', `Failed to read the folder "${folder}": ${why}`, {
      cause,
    })
  }
}

/** Says which folder a relative path starts from, if nothing is there. */
function describeStart(path: string, code: string | undefined): string {
  const isElsewhere = code === 'ENOENT' && !isAbsolute(path)
  if (isElsewhere) return ` The path is relative to ${process.cwd()}.`
  return ''
}

function readYamlFile(file: string, root: string): YamlFile {
  let bytes: Buffer
  try {
    const real = realpathSync(file)
    if (!real.startsWith(root + sep))
      return toUnreadable(
        file,
        'is a link to a file outside the folder: copy the file into the folder',
      )
    if (!statSync(real).isFile()) return toUnreadable(file, 'is not a file')
    bytes = readFileSync(real)
  } catch (error) {
    return toUnreadable(file, `can't be read: ${(error as Error).message}`)
  }
  return parseYamlBytes(file, bytes)
}

/** Lets the control API save scenarios into the folder that a Greenhouse reads. @internal */
export function openScenarioFolder(greenhouse: Greenhouse, folder: string): ScenarioFolder {
  const find = (name: string) =>
    ['yaml', 'yml', 'json']
      .map((ending) => `${name}.${ending}`)
      .find((file) => lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined)
  return {
    path: toShownPath(folder),
    find,
    save(name, text) {
      const target = find(name) ?? `${name}.yaml`
      const path = join(folder, target)
      if (target.endsWith('.json')) throw new Error(`it is in ${target}: remove that file first`)
      const former = lstatSync(path, { throwIfNoEntry: false })
      if (former && !former.isFile()) throw new Error(`${target} is a link, or not a file`)
      const others =
        listData(folder).length === 0
          ? []
          : readDataFolder(folder).filter(({ file }) => file !== path)
      const scenarios = toScenarios(
        folder,
        [...others, parseYaml(path, text)],
        greenhouse.catalogue,
      )
      const formerText = former && readFileSync(path, 'utf8')
      // A scenario that could not be written must not be active.
      replaceFile(join(realpathSync(folder), target), text)
      try {
        greenhouse.reload({ scenarios })
      } catch (error) {
        // A scenario that is active from the start may need what the new text lacks.
        if (formerText === undefined) rmSync(path)
        else replaceFile(path, formerText)
        throw error
      }
      greenhouse.setFilesState({
        problems: [],
        loadedAt: systemNow(),
      })
    },
  }
}

const casePath = text('the path of a case, such as "./renewal.case.yaml"')

/**
 * Reads a case from a YAML or JSON file, and checks it.
 * @example const { differences } = await replayCase(loadCase('./renewal.case.yaml'))
 * @throws DataError with the file, line and column of every problem; Error if the file can't be
 * read.
 */
export function loadCase(file: string): Case {
  return withCallerStack(loadCase, () => {
    checkArgument('loadCase', 'the first argument', file, casePath)
    const { data, problems, locate } = readYaml('case', file)
    assertNoProblems(
      `the case in ${file}`,
      problems.length > 0 ? problems : findCaseProblems(file, data).map(locate),
    )
    rememberPlaces(data as Case, locate)
    return data as Case
  })
}

function readYaml(what: string, file: string): YamlFile {
  try {
    return parseYamlBytes(file, readFileSync(file))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Failed to read the ${what} "${file}": ${message}.${describeStart(file, code)}`,
      { cause },
    )
  }
}
