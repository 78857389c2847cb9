import { join } from 'node:path'
import { createGreenhouse, type GreenhouseConfig } from 'greenhouse-mock'
import { defineConfig } from 'greenhouse-mock/config'
import { loadConfig } from 'greenhouse-mock/node'
import { createWithWorld } from 'greenhouse-mock/testing'
import { createTest, type TestOptions } from 'greenhouse-mock/vitest'
import { setupServer } from 'msw/node'
import { expect, test, beforeEach, vi } from 'vitest'
import { loadWithMsw } from '../../src/testing/share-interception.ts'
import { writeFolder } from '../support/folder.ts'

test.each([
  [
    { srever: setupServer() },
    /srever: there is no such option; expected one of .*Did you mean "server"\?/,
  ],
  [
    { strict: { worlds: true } },
    /strict\.worlds: there is no such option; expected one of .*Did you mean "world"\?/,
  ],
  [{ strict: { world: 1 } }, /strict\.world: expected true or false, received 1/],
  [
    { strict: 'yes' },
    /strict: expected true, false, or an object of checks \(world, operation, contract\)/,
  ],
  [{ server: {} }, /server: expected what setupServer\(\) of "msw\/node" returned/],
  [{ server: [] }, /server: expected what setupServer\(\) of "msw\/node" returned/],
  [{ plants: '/plants' }, /plants: expected an absolute URL/],
])('%j is rejected, and the message says what there is', (options, message) => {
  expect(() => createTest(options as TestOptions)).toThrow(message)
})

test('right options are accepted', () => {
  expect(createTest({ server: setupServer(), strict: { contract: false }, seed: 2 })).toBeTypeOf(
    'function',
  )
  expect(createTest({ strict: false, server: undefined } as TestOptions)).toBeTypeOf('function')
})

const failing = (error: object) => loadWithMsw(() => Promise.reject(error))

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from x.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

test("a runner that can't load msw gets an error with advice", async () => {
  const missing = notFound('msw')
  await expect(failing(missing)).rejects.toMatchObject({
    message: 'Failed to load msw, which answers at the base URLs: install it with npm i -D msw.',
    cause: missing,
  })
  // The second is from another realm.
  const message = 'Must use import to load ES Module: node_modules/rettime/build/index.mjs'
  for (const ofJest of [new SyntaxError("Unexpected token 'export'"), { name: 'Error', message }])
    await expect(failing(ofJest)).rejects.toThrow(
      "const { withGreenhouse } = require('greenhouse-mock/jest'); module.exports = withGreenhouse({",
    )
})

test('other errors while msw is loaded stay as they are', async () => {
  for (const other of [notFound('graphql'), new TypeError('x')])
    await expect(failing(other)).rejects.toBe(other)
})

const name = 'greenhouse.config.yaml'
const text = `apps: https://apps.test/v1\nport: 4123\nassumptions: { http.head: as-get }\nuse: [slow]\nnow: 2026-01-31\n`

beforeEach(() => {
  vi.stubEnv('GREENHOUSE_CONFIG', join(writeFolder({ [name]: text }), name))
  return () => void vi.unstubAllEnvs()
})

test('withWorld takes the file, and what code says wins', async () => {
  await createWithWorld({ now: '2027-01-31', assumptions: { 'http.date': 'world' } })(
    async ({ world, api }) => {
      expect(api.appsUrl).toBe(`https://apps.test/~${world.name}/v1`)
      expect(world.scenarios).toEqual(['slow'])
      expect(world.assumptions).toMatchObject({ 'http.head': 'as-get', 'http.date': 'world' })
      expect(world.clock.now()).toBeGreaterThan(Date.parse('2027-01-30'))
    },
  )()
})

test('loadConfig finds it and gives what createGreenhouse, serve and createHandlers take', async () => {
  const file = process.env['GREENHOUSE_CONFIG']!
  const loaded = await loadConfig()
  expect(loaded).toMatchObject({
    file,
    server: { port: 4123 },
    bases: { apps: 'https://apps.test/v1' },
  })
  expect(createGreenhouse(loaded.greenhouse).world().scenarios).toEqual(['slow'])
  const folder = writeFolder({ 'greenhouse.config.json': '{ "seed": 4 }', 'a/b/x.txt': '' })
  vi.stubEnv('GREENHOUSE_CONFIG', '')
  expect((await loadConfig({ folder: join(folder, 'a/b') })).greenhouse).toEqual({ seed: 4 })
  expect(await loadConfig({ folder, file: 'none' })).toMatchObject({
    file: undefined,
    greenhouse: {},
  })
  await expect(loadConfig({ flie: 'a' } as never)).rejects.toThrow('Did you mean "file"?')
})

test('defineConfig returns what it gets, and rejects a name that is misspelt', () => {
  const config: GreenhouseConfig = { port: 4100, fixtures: './fixtures', journal: { entries: 5 } }
  expect(defineConfig(config)).toBe(config)
  expect(() => defineConfig({ prot: 4100 } as never)).toThrow('Did you mean "port"?')
  expect(() => defineConfig({ fixtures: 5 } as never)).toThrow('fixtures: expected a folder')
})
