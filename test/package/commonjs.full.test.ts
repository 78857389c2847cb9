import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportsOf } from './modules.ts'
import { installPacked, root, type Project } from './packed.ts'

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

let project: Project

beforeAll(() => {
  project = installPacked({ beside: ['msw', '@playwright/test', 'playwright', 'playwright-core'] })
})

afterAll(() => project.remove())

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
