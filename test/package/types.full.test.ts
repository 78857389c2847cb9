import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installTypeProject, resolutions, type TypeProject } from './type-project.ts'

/** One consumer that uses every entry, and what they return. */
const use = `
import { createGreenhouse, DataError, malformations } from 'greenhouse-mock'
import type { App, AppReply, Clock, Greenhouse, Journal, JournalEntry, ListReply, Malformation, Plant, Problem, Records, ScenarioName, WebhookEvent, World } from 'greenhouse-mock'
import { Query } from 'greenhouse-mock/data'
import { createMiddleware, type Middleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { loadFixtures, loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { mountPanel, type MountedPanel } from 'greenhouse-mock/panel'
import { expect as browserExpect, test as browserTest } from 'greenhouse-mock/playwright'
import { serve, type RunningServer } from 'greenhouse-mock/server'
import { createTest, test } from 'greenhouse-mock/vitest'

const greenhouse: Greenhouse = createGreenhouse({ fixtures: loadFixtures('fixtures'), scenarios: loadScenarios('scenarios'), seed: 1, now: '2026-01-01T00:00:00Z' })
const world: World = greenhouse.world('checkout')
world.use('malformed-plant', { kind: 'missing' })
const clock: Clock = world.clock
clock.advance('90s')
const journal: Journal = world.journal
const [entry]: JournalEntry[] = journal.calls({ operation: 'plants.create', limit: 1 })
const apps: Records<App> = world.records.apps
const name: string | undefined = apps.get('app_1')?.name
const id: number | bigint | undefined = world.records.plants.all()[0]?.id
const plant: Readonly<Plant> | undefined = world.records.plants.get(1)
const trees: Readonly<Plant>[] = world.records.plants.find(new Query<Plant>().where({ tag: 'tree' }).or({ name: (name) => name.startsWith('F') }))
const [malformation]: Malformation[] = malformations('plants.list')
const problems: readonly Problem[] = new DataError('fixtures', []).problems
const middleware: Middleware = createMiddleware(greenhouse)
export const handlers = createHandlers(greenhouse, { plants: 'https://plants.test', apps: 'https://apps.test/v1' })
export const openPanel = (): MountedPanel => mountPanel(greenhouse, { world: world.name, open: true, position: 'right' })
watchFolders(greenhouse, { fixtures: 'fixtures', onReload: ({ records }) => void records.length }).close()
createTest({ apps: 'http://apps.test/v1', seed: 1 }).concurrent('a test', ({ world, api }) => world.use(api.key('key_pro') as ScenarioName))
test('a test', async ({ world, api, greenhouse }) => void (await greenhouse.fetch(new Request(api.plantsUrl + world.name))))
browserTest('a test', async ({ page, world, greenhouseHost }) => void (await page.goto(greenhouseHost.plants + world.name)))
browserTest.use({ greenhouseOptions: { seed: 1 } })

/** A project exports what it makes, and gives options that may be undefined. */
export const ownTest = browserTest.extend<{ shop: string }>({ shop: async ({ api }, use) => use(api.plantsUrl) })
export const ownExpect = browserExpect.extend({})
const ms = [800][1]
world.use('slow', { ms })
world.use({ name: 'slow', ms })

/** A webhook receiver: the event's type decides its data. */
export function receive(event: WebhookEvent): string {
  switch (event.type) {
    case 'message.sent': return event.data.conversation.last_message + (event.data.user?.email ?? '')
    case 'deployment.failed': return event.data.failure?.message ?? ''
    case 'payment.failed': return 'subscription' in event.data ? event.data.subscription.plan : event.data.id
    default: return event.timestamp
  }
}

export async function run(): Promise<unknown> {
  await using server: RunningServer = await serve(greenhouse, { port: 0 })
  const response: Response = await greenhouse.fetch(new Request(server.url + '/v1/apps'))
  const { data }: ListReply<AppReply> = await response.json()
  const delivered: WebhookEvent[] = (await world.trigger('app.created', data[0])).map(({ payload }) => payload)
  return [delivered, middleware, entry, name, id, plant, trees, malformation, problems]
}
`

/** msw's own types for CommonJS import types of ES modules, which only `nodenext` allows. */
const withoutMsw = (said: string) => said.replace(/^\S*node_modules\/msw\/lib\/\S+: error TS1479: .*\n/gm, '')

let project: TypeProject

beforeAll(() => {
  project = installTypeProject()
  const served = `${use}\nimport { setupServer } from 'msw/node'\nsetupServer(...handlers)\n`
  project.write('use.mts', served)
  project.write(
    'use.cts',
    served.replace(/^.*greenhouse-mock\/vitest.*\n/m, '').replace(/^(createTest|test)\(.*\n/gm, ''),
  )
})

afterAll(() => project.remove())

test('every option takes undefined, also under exactOptionalPropertyTypes', () => {
  const folder = join(project.installed, 'dist/types')
  const strict = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^(?=export )/m)
      .filter((text) =>
        /^export interface \w*(Options|Query|Checks|Memory|Config|Hooks|Start|Fixtures|Urls)\b/.test(text),
      )
      .flatMap((text) => text.match(/^  (readonly )?\w+\?[:(].*$/gm) ?? [])
      .filter((line) => !/(\| undefined|: unknown)$/.test(line)),
  )
  expect(strict).toEqual([])
})

test.each(resolutions)('a strict project with the module resolution %s has types for every entry', (resolution) => {
  // A bundler knows no CommonJS.
  const files = resolution === 'bundler' ? ['use.mts'] : ['use.mts', 'use.cts']
  expect(withoutMsw(project.check(resolution, ...files))).toBe('')
})

test('exported handlers can be named in a pnpm project that has msw only transitively', () => {
  const modules = join(project.folder, 'node_modules')
  const apart = join(modules, '.pnpm/node_modules')
  mkdirSync(join(apart, 'msw'), { recursive: true })
  renameSync(project.installed, join(apart, 'greenhouse-mock'))
  symlinkSync(join(apart, 'greenhouse-mock'), project.installed)
  rmSync(join(modules, 'msw'))
  project.write('node_modules/.pnpm/node_modules/msw/package.json', '{ "name": "msw", "types": "./index.d.ts" }')
  project.write('node_modules/.pnpm/node_modules/msw/index.d.ts', 'export declare class HttpHandler { info: object }')
  project.write('own.mts', use)
  expect(project.check('nodenext', 'own.mts')).toBe('')
})
