import { createRequire } from 'node:module'
import { createGreenhouse } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

/** Mistakes, and their messages in strict mode. */
const slips = [
  ['/plants?q=100%', 'percent-encoding: The percent-encoding of the query is not valid.'],
  ['/v1/apps/app_%E4', 'percent-encoding: The percent-encoding of the path is not valid.'],
] as const

const told = slips.map(([, message]) => expect.stringContaining(message))

const headers = { authorization: 'Bearer key_pro' }

// A bundler may drop a call whose result is unused, so each build is tested.
const builds = { import: createGreenhouse, require: createRequire(import.meta.url)('greenhouse-mock').createGreenhouse }

test.each(['import', 'require'] as const)('what %s gives refuses a percent-encoding that is none', async (build) => {
  const greenhouse = builds[build]({ strict: true })
  const ask = async (path: string) =>
    (await greenhouse.fetch(new Request(`http://127.0.0.1${path}`, { headers }))).text()
  expect(await Promise.all(slips.map(([path]) => ask(path)))).toEqual(told)
})

test('the command refuses an invalid percent-encoding', async () => {
  const { call, stop } = await startServe(['--strict'])
  expect(await Promise.all(slips.map(async ([path]) => (await call(path)).text()))).toEqual(told)
  await stop()
})
