import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = fileURLToPath(new URL('.', import.meta.url))
export const root = fileURLToPath(new URL('../..', import.meta.url))
/** The data of a run for its workers and for the next run. */
export const cache = join(home, 'node_modules/.cache')

/** The folders of src to mutate. */
export const folders = ['core', 'areas', 'scenarios', 'adapters']

/** Leaves out tests that run the package, a process or a browser (no mutant), that read sources or measure work, and slow ones. */
const excluded = [
  'browser docs/snippets environment examples hosting lint node package panel readiness scale-out testing work',
  'journal/memory memory/heap',
].flatMap((names) => names.split(' ').map((name) => `test/${name}`))
const others =
  /from '(?:node:child_process|playwright-core|[^']*\/chromium\.ts|[^']*support\/(?:cli|panel|in-page)\.[^']*)'|import\('[^']*\/dist\/|runFolder/

/** Returns the test files that can kill a mutant. */
export function listTests() {
  return listFiles('test', '.test.ts').filter(
    (file) => !excluded.some((start) => file.startsWith(start)) && !others.test(readFileSync(join(root, file), 'utf8')),
  )
}

/** Returns the files below a folder whose names end with `ending`, as sorted paths from the root. */
export function listFiles(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Returns a short hash of texts. */
export const digest = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)

/** Returns the cache folder for the current state of the source and of the files that tests share. */
export function currentFolder() {
  const files = ['src', 'test', 'build', 'fixtures', 'scenarios']
    .flatMap((folder) => listFiles(folder, ''))
    .filter((file) => !file.endsWith('.test.ts'))
  const texts = [...files, '.ci/mutation/run.mjs'].map(
    (file) => file + readFileSync(join(root, file), 'utf8'),
  )
  return join(cache, digest(...texts))
}
