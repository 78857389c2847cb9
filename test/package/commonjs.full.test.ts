import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstLine, startProcess } from '../support/process.ts'
import { entries as entryNames } from '../../build/entries.mjs'
import { exportsOf } from './modules.ts'
import { packedProject, root, toUserEnvironment } from './packed.ts'

/**
 * Entries whose CommonJS requires their ES module, which Node can: Vitest's tests are ES modules,
 * and a page draws the panel.
 */
const onlyEsm = ['vitest', 'panel']

const requirable = entryNames
  .filter((name) => !onlyEsm.includes(name) && name !== 'jest-preset')
  .map((name) => ({
    entry: name === 'index' ? 'greenhouse-mock' : `greenhouse-mock/${name}`,
    file: join(root, 'dist', `${name}.js`),
  }))

const project = packedProject('msw', 'vitest', '@playwright/test', 'playwright', 'playwright-core')

/** Runs CommonJS in the project, with its `require` alone: no loader of ES modules. */
const runScript = (code: string) => {
  project.write('script.cjs', code)
  return project.run(process.execPath, '--no-experimental-require-module', 'script.cjs')
}

test('all entries have CommonJS for Jest, but those for Vitest and for pages', () => {
  const isEsm = (name: string) =>
    /require\('\.\.\/\w+\.js'\)/.test(readFileSync(join(root, 'dist/cjs', `${name}.cjs`), 'utf8'))
  expect(entryNames.filter(isEsm)).toEqual(onlyEsm)
})

// msw itself requires ES modules.
test.each(requirable)('require gives of $entry what import gives', ({ entry, file }) => {
  const flag = /msw|playwright/.test(entry) ? [] : ['--no-experimental-require-module']
  const names = project.run(
    process.execPath,
    ...flag,
    '-p',
    `Object.keys(require('${entry}')).sort().join()`,
  )
  expect(names.trim().split(',').filter(Boolean)).toEqual(exportsOf(file))
})

test('the CommonJS build answers requests, on a server with its panel too', () => {
  const said = runScript(`
    const { createGreenhouse } = require('greenhouse-mock')
    const { serve } = require('greenhouse-mock/server')
    const { Query } = require('greenhouse-mock/data')
    const { loadScenarios } = require('greenhouse-mock/node')
    void (async () => {
      const greenhouse = createGreenhouse({ scenarios: loadScenarios('node_modules/greenhouse-mock/scenarios') })
      const trees = greenhouse.world().records.plants.find(new Query().where({ tag: 'tree' }))
      const server = await serve(greenhouse)
      const headers = { authorization: 'Bearer key_pro' }
      const plants = await fetch(server.url + '/plants?limit=1', { headers })
      const apps = await fetch(server.url + '/v1/apps?limit=1', { headers })
      const panel = await fetch(server.url + '/__greenhouse/')
      console.log(trees.length > 0, plants.status, apps.status, panel.status)
      await server.close()
    })()
  `)
  expect(said).toBe('true 200 200 200\n')
})

test('the installed command runs', () => {
  expect(project.run(join(project.folder, 'node_modules/.bin/greenhouse'), 'routes')).toContain(
    'plants.create',
  )
  expect(project.run('npx', '--offline', '--no', 'greenhouse', '--version')).toMatch(
    /^\d+\.\d+\.\d+/,
  )
})

test('the installed command serves, and stops on SIGTERM', async () => {
  const command = join(project.folder, 'node_modules/.bin/greenhouse')
  const args = ['serve', '--port', '0', '--log', 'json']
  const { child, output, ended } = startProcess(command, args, { cwd: project.folder })
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
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--no-color', '--testTimeout', '150000']
  expect(project.run(process.execPath, ...args)).toMatch(/Tests +2 passed \(2\)/)
})

function printed(file: string, code: string, ...flags: string[]): string {
  project.write(file, code)
  const options = { cwd: project.folder, encoding: 'utf8', env: toUserEnvironment() } as const
  return spawnSync(process.execPath, [...flags, file], options).stderr
}

test.each([
  ['wrong.mjs', `import { createGreenhouse } from 'greenhouse-mock'`],
  ['wrong.cjs', `const { createGreenhouse } = require('greenhouse-mock')`],
])('an error that nobody catches shows the line that calls, and few others: %s', (file, code) => {
  const said = printed(file, `${code}\ncreateGreenhouse({ fixtures: { plants: [{ id: 'x' }] } })\n`)
  expect(said).toContain('DataError: Failed to load fixtures: 3 problems.')
  expect(said).toMatch(new RegExp(`at .*${file.replace('.', '\\.')}:2:`))
  expect(said.length).toBeLessThan(2_500)
  expect(Math.max(...said.split('\n').map(({ length }) => length))).toBeLessThan(300)
})

test('an error from inside names our functions, and shows a short line of the code', () => {
  const inside = `import { createGreenhouse } from 'greenhouse-mock'
const greenhouse = createGreenhouse({ hooks: { onRequest: () => { throw new Error('mine') } } })
const own = Object.create(greenhouse.world())
own.use('slow')\n`
  const said = printed('inside.mjs', inside)
  expect(said).toMatch(
    /at (?:new |async )?[A-Z]?\w{4,}[\w.]* \(file:.*\/greenhouse-mock\/dist\/[\w-]+\.m?js:\d+:\d+\)/,
  )
  expect(Math.max(...said.split('\n').map(({ length }) => length))).toBeLessThan(400)
})

/**
 * Creates a Greenhouse with one build, uses it with the other or the same, and prints the results:
 * node script.mjs MAKER USER.
 */
const usesBoth = `
import { createRequire } from 'node:module'
import { setupServer } from 'msw/node'
const require = createRequire(import.meta.url)
const entries = ['', '/server', '/msw', '/express', '/data', '/matchers', '/node']
const builds = {
  import: Object.assign({}, ...(await Promise.all(entries.map((entry) => import('greenhouse-mock' + entry))))),
  require: Object.assign({}, ...entries.map((entry) => require('greenhouse-mock' + entry))),
}
const [maker, user] = process.argv.slice(2).map((name) => builds[name])
const greenhouse = maker.createGreenhouse({
  seed: 1,
  now: '2026-01-01T00:00:00Z',
  frozen: true,
  maxWorlds: 3,
  journal: { entries: 5 },
  fixtures: user.loadFixtures('node_modules/greenhouse-mock/fixtures'),
  scenarios: user.loadScenarios('node_modules/greenhouse-mock/scenarios'),
})
const said = []
const say = (...words) => said.push(words.join(' '))
const attempt = (what) => {
  try {
    return JSON.stringify(what())
  } catch (error) {
    return error.name + ': ' + error.message
  }
}
const server = await user.serve(greenhouse)
const call = async (method, path, body) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const type = response.headers.get('content-type') ?? ''
  const text = type.includes('event-stream') ? (await response.body.cancel(), 'events') : await response.text()
  say(method, path, response.status, text.replace(/"journal":"[\\w.]+"/, '').replace(/"(ms|time|wait)": ?[\\d.]+/g, '').replaceAll(new URL(server.url).host, ''))
}
const control = (method, path, body) => call(method, '/__greenhouse' + path, body)
const world = (method, path, body) => control(method, '/worlds/default' + path, body)

await control('PUT', '/worlds/a', { seed: 3 })
await control('PUT', '/worlds/a/scenarios', { active: [{ name: 'webhook-storm' }, 'held-back'] })
await world('PUT', '/scenarios', { active: ['slo'] })
await world('PUT', '/scenarios', { active: ['slow:ms=x'] })
await world('PUT', '/scenarios', { active: [{ name: 'slow', ms: 1 }] })
await world('POST', '/snapshots/before')
await world('PUT', '/snapshots/before')
await call('POST', '/plants', { id: 4711, name: 'Ficus' })
await call('POST', '/v1/apps', { name: 'helper' })
await call('POST', '/plants', { nam: 'Ficus' })
await call('GET', '/v1/apps?limit=1')
for (const path of ['', '/journal', '/accounts', '/keys', '/due', '/scenarios', '/assumptions', '/clock', '/export', '/export/plants',
  '/export/apps', '/snapshots', '/deliveries', '/records', '/records/plants?limit=3', '/records/apps?limit=1', '/report', '/journal.har', '/plans'])
  await world('GET', path)
for (const path of ['/health', '/worlds', '/scenarios', '/operations', '/assumptions', '/events', '/nothing']) await control('GET', path)
await world('POST', '/events', { type: 'app.created' })
await world('POST', '/records/plants', { id: 1, name: 'x', account: 'acct_pro' })
await world('PUT', '/records/plants', [{ id: 1, name: 'x', account: 'acct_pro' }, { id: 1, name: 'y', account: 'acct_pro' }])
await world('PATCH', '/clock', { advance: '2d' })
await world('GET', '/deliveries')
await world('GET', '/due')
await world('POST', '/snapshots/before/restore')
await world('GET', '/due')
for (const name of ['b', 'c', 'd', 'e']) await call('GET', '/~' + name + '/plants?limit=1')
await control('GET', '/worlds/a')
await control('GET', '/worlds/a/journal')
for (let i = 0; i < 6; i++) await call('GET', '/plants?limit=1')
await world('GET', '/journal')
await server.close()

say('found', greenhouse.world().records.plants.find(new user.Query().where({ tag: 'tree' })).length)
say('matcher', attempt(() => user.greenhouseMatchers.toHaveNoViolations(greenhouse.world())))
for (const what of [() => maker.createGreenhouse({ fixtures: { plants: [{ id: 'x' }] } }), () => maker.createGreenhouse({ use: ['slo'] })])
  try {
    what()
  } catch (error) {
    say(error.name, error instanceof user.DataError, error instanceof Error, new Error('no') instanceof user.DataError)
  }

const ready = maker.createGreenhouse({ seed: 1, now: '2026-01-01T00:00:00Z', frozen: true })
const interception = setupServer(...user.createHandlers(ready, { plants: 'https://plants.test', apps: 'https://apps.test/v1' }))
interception.listen()
const headers = { authorization: 'Bearer key_pro' }
for (const url of ['https://plants.test/plants?limit=1', 'https://apps.test/v1/apps?limit=1', 'https://plants.test/plants?limit=x'])
  say(url, await (await fetch(url, { headers })).text())
interception.close()
say('msw', attempt(() => ready.world().use('truncated-body')))
say('express', user.createMiddleware(maker.createGreenhouse()).length)
console.log(JSON.stringify(said))
`

project.write('script.mjs', usesBoth)

const runBuilds = (maker: string, user: string) =>
  JSON.parse(project.run(process.execPath, 'script.mjs', maker, user)) as string[]

test('objects of the ESM build work with the CommonJS build, and the other way round', () => {
  const alone = runBuilds('import', 'import')
  expect(alone.filter((line) => /^\S+ \S+ 500 /.test(line))).toEqual([])
  expect(
    alone.filter((line) => / 409 .*(world_dropped|duplicate_record)/.test(line)).length,
  ).toBeGreaterThanOrEqual(3)
  expect(alone).toContain('DataError true true false')
  expect(runBuilds('import', 'require')).toEqual(alone)
  expect(runBuilds('require', 'import')).toEqual(alone)
  expect(runBuilds('require', 'require')).toEqual(alone)
})
