import { createRequire } from 'node:module'
import { createGreenhouse } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

/** What is wrong, and how a strict Greenhouse names it. */
const slips = [
  ['/plants?q=100%', 'percent-encoding: The percent-encoding of the query is not valid.'],
  ['/v1/apps/app_%E4', 'percent-encoding: The percent-encoding of the path is not valid.'],
] as const

const told = slips.map(([, message]) => expect.stringContaining(message))

const headers = { authorization: 'Bearer key_pro' }

// A bundler may take a call whose result nobody uses for one that does nothing: each build is asked by itself.
const builds = { import: createGreenhouse, require: createRequire(import.meta.url)('greenhouse-mock').createGreenhouse }

test.each(['import', 'require'] as const)('what %s gives refuses a percent-encoding that is none', async (build) => {
  const greenhouse = builds[build]({ strict: true })
  const ask = async (path: string) =>
    (await greenhouse.fetch(new Request(`http://127.0.0.1${path}`, { headers }))).text()
  expect(await Promise.all(slips.map(([path]) => ask(path)))).toEqual(told)
})

test('so does the command', async () => {
  const { call, stop } = await startServe(['--strict'])
  expect(await Promise.all(slips.map(async ([path]) => (await call(path)).text()))).toEqual(told)
  await stop()
})
