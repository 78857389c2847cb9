import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createGreenhouse, type GreenhouseConfig } from 'greenhouse-mock'
import { defineConfig } from 'greenhouse-mock/config'
import { loadConfig } from 'greenhouse-mock/node'
import { createWithWorld } from 'greenhouse-mock/testing'
import { startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const name = 'greenhouse.config.yaml'
const text = `apps: https://apps.test/v1\nport: 4123\nassumptions: { http.head: as-get }\nuse: [slow]\nnow: 2026-01-31\n`

beforeEach(() => {
  const folder = writeFolder({ [name]: text })
  vi.stubEnv('GREENHOUSE_CONFIG', join(folder, name))
  return () => void vi.unstubAllEnvs()
})

test('withWorld takes the file, and what code says wins', async () => {
  await createWithWorld({ now: '2027-01-31', assumptions: { 'http.date': 'world' } })(async ({ world, api }) => {
    expect(api.appsUrl).toBe(`https://apps.test/~${world.name}/v1`)
    expect(world.scenarios).toEqual(['slow'])
    expect(world.assumptions).toMatchObject({ 'http.head': 'as-get', 'http.date': 'world' })
    expect(world.clock.now()).toBeGreaterThan(Date.parse('2027-01-30'))
  })()
})

test('the fixtures of Vitest take it', async () => {
  const folder = writeFolder({
    [name]: text,
    'own.test.mjs': `import { expect } from '${join(process.cwd(), 'node_modules/vitest/dist/index.js')}'
import { test } from '${join(process.cwd(), 'dist/vitest.js')}'
test('has it', ({ world, api }) => {
  expect([world.scenarios, api.appsUrl]).toEqual([['slow'], \`https://apps.test/~\${world.name}/v1\`])
})
`,
    'other.test.mjs': `import { expect } from '${join(process.cwd(), 'node_modules/vitest/dist/index.js')}'
import { createTest } from '${join(process.cwd(), 'dist/vitest.js')}'
createTest({ use: [] })('has its own', ({ world }) => expect(world.scenarios).toEqual([]))
`,
  })
  const vitest = join(process.cwd(), 'node_modules/vitest/vitest.mjs')
  const { GREENHOUSE_CONFIG: _, ...env } = process.env
  const { code, stdout, stderr } = await startProcess(process.execPath, [vitest, 'run', '--testTimeout', '150000'], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
  }).ended
  expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/Tests +2 passed/)])
})

test('loadConfig finds it and gives what createGreenhouse, serve and createHandlers take', async () => {
  const file = process.env['GREENHOUSE_CONFIG']!
  const loaded = await loadConfig()
  expect(loaded).toMatchObject({ file, server: { port: 4123 }, bases: { apps: 'https://apps.test/v1' } })
  expect(createGreenhouse(loaded.greenhouse).world().scenarios).toEqual(['slow'])
  const folder = writeFolder({ 'greenhouse.config.json': '{ "seed": 4 }', 'a/b/x.txt': '' })
  vi.stubEnv('GREENHOUSE_CONFIG', '')
  expect((await loadConfig({ folder: join(folder, 'a/b') })).greenhouse).toEqual({ seed: 4 })
  expect(await loadConfig({ folder, file: 'none' })).toMatchObject({ file: undefined, greenhouse: {} })
  await expect(loadConfig({ flie: 'a' } as never)).rejects.toThrow('Did you mean "file"?')
})

test('defineConfig returns what it gets, and refuses a name that is misspelt', () => {
  const config: GreenhouseConfig = { port: 4100, fixtures: './fixtures', journal: { entries: 5 } }
  expect(defineConfig(config)).toBe(config)
  expect(() => defineConfig({ prot: 4100 } as never)).toThrow('Did you mean "port"?')
  expect(() => defineConfig({ fixtures: 5 } as never)).toThrow('the option "fixtures" takes a folder')
})
