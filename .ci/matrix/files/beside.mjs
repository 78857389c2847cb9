// Runs beside packages that are too old for some entries.
import { match, throws } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'

const call = `fetch(process.env.PLANTS_BASE_URL + '/plants', { headers: { authorization: 'Bearer key_pro' } }).then(({ status }) => console.log(status))`
const command = [
  'node_modules/greenhouse-mock/dist/greenhouse.cjs',
  'run',
  '--',
  process.execPath,
  '-e',
  call,
]
match(execFileSync(process.execPath, command, { encoding: 'utf8' }), /^200$/m)
throws(
  () => createHandlers(createGreenhouse()),
  /greenhouse-mock\/msw needs msw 2\.11 or later, but [\d.]+ is installed\. Update it: /,
)
const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
  encoding: 'utf8',
})
match(
  stdout + stderr,
  /greenhouse-mock\/vitest needs vitest 3\.2 or later, but [\d.]+ is installed\. Update it: /,
)
