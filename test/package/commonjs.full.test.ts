import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstLine, startProcess } from '../support/process.ts'
import { exportsOf } from './modules.ts'
import { packedProject, root, toUserEnvironment } from './packed.ts'

/** Entries without a CommonJS build: Vitest's tests are ES modules. TypeScript may still take their file for CommonJS. */
const onlyEsm = ['./vitest']

const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  exports: Record<string, string | { import: { default: string }; require: { default: string } }>
}
const entries = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === 'object' && !onlyEsm.includes(path) && !path.startsWith('./jest-preset')
    ? [{ entry: `${name}${path.slice(1)}`, file: join(root, target.import.default) }]
    : [],
)

const project = packedProject('msw', 'vitest', '@playwright/test', 'playwright', 'playwright-core')

/** Runs CommonJS in the project, with its `require` alone: no loader of ES modules. */
const runScript = (code: string) => {
  project.write('script.cjs', code)
  return project.run(process.execPath, '--no-experimental-require-module', 'script.cjs')
}

test('all entries can be required, but that for Vitest', () => {
  const withoutBuild = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'object' && !target.require.default.endsWith('.cjs') ? [path] : [],
  )
  expect(withoutBuild).toEqual(onlyEsm)
  expect(entries.length).toBeGreaterThanOrEqual(10)
})

// msw itself requires ES modules.
test.each(entries)('require gives of $entry what import gives', ({ entry, file }) => {
  const flag = /msw|playwright/.test(entry) ? [] : ['--no-experimental-require-module']
  const names = project.run(process.execPath, ...flag, '-p', `Object.keys(require('${entry}')).sort().join()`)
  expect(names.trim().split(',').filter(Boolean)).toEqual(exportsOf(file))
})

test('what is required answers requests, on a server with its panel too', () => {
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
  expect(project.run(join(project.folder, 'node_modules/.bin/greenhouse'), 'routes')).toContain('plants.create')
  expect(project.run('npx', '--offline', '--no', 'greenhouse', '--version')).toMatch(/^\d+\.\d+\.\d+/)
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

test('with --enable-source-maps an error of ours names our sources and shows a line of them', () => {
  const inside = `import { createGreenhouse } from 'greenhouse-mock'\ncreateGreenhouse().fetch({})\n`
  const said = printed('inside.mjs', inside, '--enable-source-maps')
  expect(said).toMatch(/greenhouse-mock\/src\/api\/greenhouse\.ts:\d+/)
  expect(said.length).toBeLessThan(2_500)
})
