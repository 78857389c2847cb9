// Builds the code of dist once for each message of the parent process, for tests in watch mode. The
// second build of a process takes half as long as its first, so the first one runs at the start,
// into a folder that is deleted.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCode } from './code.mjs'
import { buildDist, isStale } from './dist.mjs'

const unused = mkdtempSync(join(tmpdir(), 'greenhouse-first-build-'))
const forget = () => rmSync(unused, { recursive: true, force: true })
process.on('exit', forget)
let last = buildCode(unused)
  .catch(() => {})
  .finally(forget)

process.on('message', () => {
  last = last
    .then(() => (isStale(true) ? buildDist(true) : undefined))
    .then(
      () => process.send({}),
      ({ message }) => process.send({ message }),
    )
})
process.on('disconnect', () => process.exit())
