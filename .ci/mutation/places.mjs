import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = fileURLToPath(new URL('.', import.meta.url))
export const root = fileURLToPath(new URL('../..', import.meta.url))
/** What a run leaves for its workers and for the next run. */
export const cache = join(home, 'node_modules/.cache')

/** What is mutated, of src. */
export const folders = ['core', 'areas', 'scenarios', 'adapters']

/** Tests that run the package, a process or a browser, and so no mutant; those that look at the sources, or count work or memory; slow ones. */
const excluded = [
  'browser docs/snippets environment examples hosting lint node package panel readiness scale-out testing work',
  'control/journal-streams memory',
].flatMap((names) => names.split(' ').map((name) => `test/${name}`))
const others = /child_process|chromium|playwright|runFolder|\/dist\/|support\/(cli|panel|in-page)\./

/** The tests that can kill a mutant. */
export function listTests() {
  return listFiles('test', '.test.ts').filter(
    (file) => !excluded.some((start) => file.startsWith(start)) && !others.test(readFileSync(join(root, file), 'utf8')),
  )
}

/** The files of a folder and its folders whose names end so, as paths from the root, in order. */
export function listFiles(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Tells texts apart. */
export const digest = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)

/** The folder for what is made of the source, and of what the tests share, as they are now. */
export function currentFolder() {
  const files = ['src', 'test', 'build', 'fixtures', 'scenarios']
    .flatMap((folder) => listFiles(folder, ''))
    .filter((file) => !file.endsWith('.test.ts'))
  const texts = [...files, '.ci/mutation/package-lock.json'].map(
    (file) => file + readFileSync(join(root, file), 'utf8'),
  )
  return join(cache, digest(...texts))
}
