// The mutants: a copy of each source file that contains all of its mutants, each behind a switch,
// and their list. Which files have them, which tests can kill them, and where both are kept for the
// workers and for the next run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** The data of a run for its workers and for the next run. */
export const cache = join(root, 'node_modules/.cache/greenhouse/mutation')

/** The folders of src to mutate. */
export const folders = ['core', 'areas', 'scenarios', 'adapters']

/**
 * Leaves out tests that run the package, a process or a browser (no mutant), that read sources or
 * measure work, and slow ones.
 */
const excluded = [
  'browser builds cli/handlers.full cli/log-follow.full contract/flip.full docs/snippets examples',
  'hosting lint node package panel readiness scale-out testing/playwright testing/suites work',
  'control/long-lists environment/faked journal/memory memory/heap proxy/flat',
].flatMap((names) => names.split(' ').map((name) => `test/${name}`))
const others =
  /from '(?:node:child_process|playwright-core|[^']*\/chromium\.ts|[^']*support\/(?:panel|in-page)\.[^']*|\.\/node\.ts)'|import\('[^']*\/dist\/|runFolder/

/** Returns the test files that can kill a mutant. */
export function listTests() {
  return listFiles('test', '.test.ts').filter(
    (file) =>
      !excluded.some((start) => file.startsWith(start)) &&
      !others.test(readFileSync(join(root, file), 'utf8')),
  )
}

/**
 * Returns the files below a folder whose names end with `ending`, as sorted paths from the root.
 */
export function listFiles(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Returns a short hash of texts. */
export const digest = (...texts) =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)

/**
 * Returns the cache folder for the current state of the source and of the files that tests share.
 */
export function currentFolder() {
  const files = ['src', 'test', 'build', 'fixtures', 'scenarios']
    .flatMap((folder) => listFiles(folder, ''))
    .filter((file) => !file.endsWith('.test.ts'))
  const texts = [...files, '.ci/package.json'].map(
    (file) => file + readFileSync(join(root, file), 'utf8'),
  )
  return join(cache, digest(...texts))
}

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false }

/** @returns {Promise<Mutant[]>} all mutants, in the order of their files */
export async function instrument(folder) {
  const list = join(folder, 'mutants.json')
  if (!existsSync(list)) await write(folder, list)
  return JSON.parse(readFileSync(list, 'utf8'))
}

async function write(folder, list) {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter')
  const sources = folders
    .flatMap((folder) => listFiles(`src/${folder}`, '.ts'))
    .map((file) => ({ name: file, mutate: true, content: readFileSync(join(root, file), 'utf8') }))
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false }
  const { files, mutants } = await new Instrumenter(quiet).instrument(sources, options)
  for (const { name, content } of files) {
    const copy = join(folder, 'source', name)
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, content)
  }
  const contents = new Map(sources.map(({ name, content }) => [name, content]))
  writeFileSync(
    list,
    JSON.stringify(mutants.map((mutant) => describe(mutant, contents.get(mutant.fileName)))),
  )
}

/**
 * @typedef {object} Mutant
 * @property {string} id unique in this run
 * @property {string} folder the folder of src
 * @property {string} original the replaced text
 * @property {string} key stable while neither its line nor an equal line of the file changes, even
 * if the line moves
 */
function describe(
  { id, fileName: file, mutatorName: mutator, replacement, location: { start, end } },
  content,
) {
  const lines = content.split('\n')
  const line = lines[start.line].trim()
  const place = lines.slice(0, start.line).filter((one) => one.trim() === line).length
  const offset = start.column - (lines[start.line].length - lines[start.line].trimStart().length)
  const original = textBetween(lines, start, end)
  return {
    id,
    file,
    folder: file.split('/')[1],
    line: start.line + 1,
    mutator,
    original,
    replacement,
    key: [
      file,
      line + (place > 0 ? ` (${place + 1})` : ''),
      offset,
      original.length,
      replacement,
    ].join(' | '),
  }
}

function textBetween(lines, start, end) {
  const taken = lines.slice(start.line, end.line + 1)
  taken[taken.length - 1] = taken.at(-1).slice(0, end.column)
  taken[0] = taken[0].slice(start.column)
  return taken.join('\n')
}

/**
 * Takes a random sample of mutants. The same seed takes the same ones, even after changes to other
 * code.
 */
export function takeSample(mutants, { size, seed, only }) {
  return mutants
    .filter(
      ({ folder, file }) =>
        only.length === 0 || only.some((name) => name === folder || file.includes(name)),
    )
    .map((mutant) => ({ mutant, place: digest(String(seed), mutant.key) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
