import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstLine, startProcess } from '../support/process.ts'
import { installPacked, type Project } from './packed.ts'

let project: Project

beforeAll(() => {
  project = installPacked({ beside: ['msw', 'vitest'] })
})

afterAll(() => project.remove())

const entries = [
  'greenhouse-mock',
  'greenhouse-mock/msw',
  'greenhouse-mock/server',
  'greenhouse-mock/express',
  'greenhouse-mock/node',
  'greenhouse-mock/panel',
  'greenhouse-mock/case',
  'greenhouse-mock/config',
]

test('CommonJS can require every entry', () => {
  const script = `console.log(JSON.stringify(${JSON.stringify(entries)}.map((entry) => Object.keys(require(entry)).filter((name) => name !== 'default' && name !== '__esModule'))))`
  expect(JSON.parse(project.run(process.execPath, '-e', script))).toEqual([
    ['DataError', 'createGreenhouse', 'malformations'],
    ['createHandlers'],
    ['serve'],
    ['createMiddleware'],
    ['loadCase', 'loadConfig', 'loadFixtures', 'loadScenarios', 'watchFolders'],
    ['mountPanel'],
    ['CaseStepError', 'cases', 'parseJson', 'replayCase', 'toCaseText'],
    ['defineCollection', 'defineConfig', 'defineOperation', 'definePlugin'],
  ])
})

test('an ES module can import every entry, and use them together', () => {
  const script = `
    import { createGreenhouse } from 'greenhouse-mock'
    import { serve } from 'greenhouse-mock/server'
    const greenhouse = createGreenhouse()
    const server = await serve(greenhouse)
    const post = { method: 'POST', headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' }, body: '{"id":1007,"name":"Ficus"}' }
    const response = await fetch(server.url + '/plants', post)
    console.log(response.status, await response.text(), greenhouse.world().journal.calls().length)
    await server.close()`
  expect(project.run(process.execPath, '--input-type=module', '-e', script)).toBe('200 {"name":"Ficus"} 1\n')
})

test('the installed command runs', () => {
  expect(project.run(join(project.folder, 'node_modules/.bin/greenhouse'), 'routes')).toContain('plants.create')
  expect(project.run('npx', '--offline', '--no', 'greenhouse', '--version')).toMatch(/^\d+\.\d+\.\d+/)
})

test('the installed command serves, and stops on SIGTERM', async () => {
  const { child, output, ended } = startProcess(
    join(project.folder, 'node_modules/.bin/greenhouse'),
    ['serve', '--port', '0', '--log', 'json'],
    { cwd: project.folder },
  )
  const { apps_url } = JSON.parse(await firstLine(child, output, ended)) as { apps_url: string }
  const response = await fetch(apps_url + '/apps', { headers: { authorization: 'Bearer key_pro' } })
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test("the installed package gives Vitest's tests worlds, served and intercepted", () => {
  project.write(
    'worlds.test.mjs',
    `
    import { createTest, test } from 'greenhouse-mock/vitest'
    const ask = (url, key) => fetch(url + '/apps', { headers: { authorization: 'Bearer ' + key } }).then((response) => response.headers.get('x-greenhouse'))
    test.concurrent('served', async ({ api, world, expect }) => expect(await ask(api.appsUrl, 'key_pro')).toContain('world=' + world.name + ';'))
    const intercepted = createTest({ apps: 'https://api.example.com/v1' })
    intercepted.concurrent('intercepted', async ({ api, world, expect }) => expect(await ask('https://api.example.com/v1', api.key('key_pro'))).toContain('world=' + world.name + ';'))`,
  )
  expect(
    project.run(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--no-color', '--testTimeout', '150000'),
  ).toMatch(/Tests +2 passed \(2\)/)
})
