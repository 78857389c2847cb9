// Makes dist. `--if-stale` leaves it alone when nothing that it is made from has changed since. `--code` makes the code anew and takes
// the rest over from the last build: types, what V8 compiled, the OpenAPI document. A watch run of the tests needs no more.
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
const stamp = join(dist, 'index.js')
const sources = ['src', 'build', 'fixtures', 'scenarios', 'package.json', 'package-lock.json', 'tsconfig.json']

if (
  process.argv.includes('--if-stale') &&
  existsSync(stamp) &&
  Math.max(...sources.map((source) => changedAt(join(root, source)))) < statSync(stamp).mtimeMs
) {
  process.exit()
}

// It is built aside and swapped in: whoever runs from dist meanwhile goes on, and a build that fails takes nothing away.
const startedAt = new Date()
const work = join(root, 'node_modules/.cache/greenhouse', String(process.pid))
mkdirSync(work, { recursive: true })
try {
  const isCodeAlone = process.argv.includes('--code') && existsSync(stamp)
  const [{ buildCode }, { buildTypes }] = await Promise.all([import('./code.mjs'), import('./types.mjs')])
  // Both end before the folder goes, or what went wrong would be hidden by what the other one still writes.
  const built = await Promise.allSettled([
    buildCode(join(work, 'dist')),
    isCodeAlone
      ? cpSync(join(dist, 'types'), join(work, 'dist/types'), { recursive: true })
      : buildTypes(join(work, 'declarations'), join(work, 'dist/types')),
  ])
  for (const { reason } of built.filter(({ status }) => status === 'rejected')) throw reason
  chmodSync(join(work, 'dist/greenhouse.js'), 0o755)
  if (isCodeAlone) cpSync(join(dist, 'openapi.json'), join(work, 'dist/openapi.json'))
  else finish()
  utimesSync(join(work, 'dist/index.js'), startedAt, startedAt)
  if (existsSync(dist)) renameSync(dist, join(work, 'previous'))
  renameSync(join(work, 'dist'), dist)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Does what the command that was just built is needed for. */
function finish() {
  for (const words of [[], ['scenario', 'list']])
    execFileSync(process.execPath, [join(root, 'build/keep-compiled.cjs'), join(work, 'dist'), ...words])
  writeFileSync(
    join(work, 'dist/openapi.json'),
    execFileSync(process.execPath, [join(work, 'dist/greenhouse.js'), 'openapi', '--server', 'http://127.0.0.1:4010']),
  )
}

/** When a file, or anything in a folder, last changed. A folder itself changes when something in it comes or goes. */
function changedAt(path) {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}
