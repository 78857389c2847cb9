import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
/**
 * A build of the code alone renews the first; the OpenAPI document, the types and pages are as old
 * as the second.
 */
const stamps = [join(dist, 'index.js'), join(dist, 'openapi.json')]
const sources = [
  'src',
  'build',
  '.ci/matrix',
  'fixtures',
  'scenarios',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/**
 * Whether a source has changed since the last build, or there was none. @param wantsCodeOnly
 * ignores all but the code
 */
export function isStale(wantsCodeOnly = false) {
  const wanted = wantsCodeOnly ? stamps.slice(0, 1) : stamps
  const changed = Math.max(...sources.map((source) => changedAt(join(root, source))))
  return wanted.some((stamp) => !existsSync(stamp) || changed >= statSync(stamp).mtimeMs)
}

/**
 * Builds in another folder and swaps it in: processes that run from dist continue, and a failed
 * build keeps the old dist.
 * @param wantsCodeOnly leaves out V8's compiled code, and copies the types and the OpenAPI document
 * of the last build
 */
export async function buildDist(wantsCodeOnly) {
  const startedAt = new Date()
  const work = join(root, 'node_modules/.cache/greenhouse', String(process.pid))
  mkdirSync(work, { recursive: true })
  try {
    const isCodeOnly = wantsCodeOnly && stamps.every((stamp) => existsSync(stamp))
    const { buildCode } = await import('./code.mjs')
    const buildTypes = async (...folders) => (await import('./types.mjs')).buildTypes(...folders)
    // Waits for both before the folder is deleted; otherwise a late write of one would hide the
    // error of the other.
    const built = await Promise.allSettled([
      buildCode(join(work, 'dist')),
      isCodeOnly
        ? cpSync(join(dist, 'types'), join(work, 'dist/types'), { recursive: true })
        : buildTypes(join(work, 'declarations'), join(work, 'dist/types')),
    ])
    for (const { reason } of built.filter(({ status }) => status === 'rejected')) throw reason
    chmodSync(join(work, 'dist/greenhouse.cjs'), 0o755)
    if (isCodeOnly)
      for (const part of ['openapi.json', 'docs'])
        cpSync(join(dist, part), join(work, 'dist', part), {
          recursive: true,
          preserveTimestamps: true,
        })
    else await finish(join(work, 'dist'))
    for (const file of isCodeOnly ? ['index.js'] : ['index.js', 'openapi.json'])
      utimesSync(join(work, 'dist', file), startedAt, startedAt)
    if (existsSync(dist)) renameSync(dist, join(work, 'previous'))
    renameSync(join(work, 'dist'), dist)
  } finally {
    // After a failure, a bundle may still be writing into it.
    rmSync(work, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Runs the new command to create its compiled code and the OpenAPI document. */
async function finish(folder) {
  const keep = [join(root, 'build/keep-compiled.cjs'), folder]
  for (const words of [[], ['scenario', 'list']])
    execFileSync(process.execPath, [...keep, ...words])
  const document = [join(folder, 'greenhouse.cjs'), 'openapi', '--server', 'http://127.0.0.1:4010']
  // Without its indents, which are half of it.
  writeFileSync(
    join(folder, 'openapi.json'),
    JSON.stringify(JSON.parse(execFileSync(process.execPath, document))),
  )
  const { writeReference } = await import('./reference.mjs')
  await writeReference(folder)
}

/**
 * Returns when a file, or anything in a folder, last changed. A folder's own time changes when
 * entries are added or removed.
 */
function changedAt(path) {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}
