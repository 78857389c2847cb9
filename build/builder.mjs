// Builds the code of dist for each message of the parent process: for watch runs of tests, since the second build of a process
// takes half as long as its first. So it builds once by itself, into a folder that it deletes.
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
    .then(() => (isStale() ? buildDist(true) : undefined))
    .then(
      () => process.send({}),
      ({ message }) => process.send({ message }),
    )
})
process.on('disconnect', () => process.exit())
