import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { entries } from '../../build/entries.mjs'
import { checkTypes, compile, packedProject, resolutions, root, typedPeers } from './packed.ts'

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
const withoutMsw = (said: string) =>
  said.replace(/^.*node_modules\/msw\/lib\/\S+: error TS1479: .*\n/gm, '')

const project = packedProject(...typedPeers)
const served = `${use}\nimport { setupServer } from 'msw/node'\nsetupServer(...handlers)\n`
project.write('use.mts', served)
project.write(
  'use.cts',
  served.replace(/^.*greenhouse-mock\/vitest.*\n/m, '').replace(/^(createTest|test)\(.*\n/gm, ''),
)

test('every option takes undefined, also under exactOptionalPropertyTypes', () => {
  const folder = join(project.installed, 'dist/types')
  const taken =
    /^export interface \w*(Options|Query|Checks|Memory|Config|Hooks|Start|Fixtures|Urls)\b/
  const strict = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^(?=export )/m)
      .filter((text) => taken.test(text))
      .flatMap((text) => text.match(/^  (readonly )?\w+\?[:(].*$/gm) ?? [])
      .filter((line) => !/(\| undefined|: unknown)$/.test(line)),
  )
  expect(strict).toEqual([])
})

test.each(resolutions)(
  'a strict project with the module resolution %s has types for every entry',
  (resolution) => {
    // A bundler knows no CommonJS.
    const files = resolution === 'bundler' ? ['use.mts'] : ['use.mts', 'use.cts']
    expect(withoutMsw(checkTypes(project, resolution, ...files))).toBe('')
  },
)

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const emitted = readdirSync(join(root, 'dist/types')).map((file) => ({
  file,
  code: read(`dist/types/${file}`),
}))
/** Without what stands in comments and texts. */
const words = (code: string) => code.replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '')

test('npm run api prints the whole surface as one file, which compiles on its own', () => {
  const api = execFileSync(process.execPath, [join(root, 'build/api.mjs')], { encoding: 'utf8' })
  const declared = entries.map(
    (entry) => `declare module 'greenhouse-mock${entry === 'index' ? '' : `/${entry}`}'`,
  )
  expect(api.match(/^declare module '.*'/gm)).toEqual(declared)
  project.write('api.d.mts', api)
  for (const resolution of resolutions)
    expect(checkTypes(project, resolution, 'api.d.mts'), resolution).toBe('')
})

test.each(emitted)(
  '$file has interfaces to read, no any, and no class but an error',
  ({ file, code }) => {
    // So does Vitest declare what it lets others add to.
    const own = words(code).replace('interface Matchers<T = any>', '')
    expect(own).not.toMatch(/#private|\bany\b|\$\d|typeof |zod|StandardSchema/i)
    const errors = {
      index: ['class CaseStepError', 'class DataError'],
      client: [
        'CallError',
        'ClientError',
        'ForeignServerError',
        'ServerUnreachableError',
        'TokenError',
      ].map((name) => `class ${name}`),
    }[file.split('.')[0]!]
    expect((words(code).match(/\bclass \w+/g) ?? []).sort()).toEqual(errors ?? [])
  },
)

test('every type and function of the surface has a docstring', () => {
  const bare = emitted.flatMap(({ file, code }) => {
    let end = 0
    return parseAst(code, { lang: 'dts' }).body.flatMap((node) => {
      const before = code.slice(end, node.start)
      end = node.end
      const isExport = node.type === 'ExportNamedDeclaration' && node.declaration !== null
      return isExport && !before.includes('/**')
        ? [`${file}: ${code.slice(node.start, node.end).split('\n')[0]}`]
        : []
    })
  })
  expect(bare).toEqual([])
})

test('public types show nothing of exchanges, the core or stores', () => {
  const all = emitted.map(({ code }) => words(code)).join('\n')
  const inside =
    'LiveWorld|Exchange|Activation|ServiceRequest|Reply |WhenGone|SecretFinder|CollectionDefinition'
  expect(all.match(new RegExp(`\\b(${inside})\\b`, 'g')) ?? []).toEqual([])
})

const client = `
import type { AppChanges, AppErrorReply, AppReply, ListReply, MessageDelta, NewApp, NewPlant, NewPurchase, NewWebhook, PlantReply, WebhookEvent } from 'greenhouse-mock/types'

const app: NewApp = { name: 'helper', display_name: null, login_required: true }
const change: AppChanges = { welcome_message: 'Hello' }
const plant: NewPlant = { id: 10n, name: 'Ficus' }
const hook: NewWebhook = { url: 'https://hooks.example.com', events: ['app.created', 'message.sent'] }
const purchase: NewPurchase = { amount: 100, payment_method: 'pm_ok' }
declare const list: ListReply<AppReply>
declare const refused: AppErrorReply
declare const delta: MessageDelta
declare const shown: PlantReply
declare const event: WebhookEvent
export const names: string[] = list.data.map(({ name }) => name)
export const tag: string | undefined = shown.tag
export const word: string = delta.delta.content
export function tell(): string {
  if (refused.error.code === 'rate_limit_exceeded') return refused.error.request_id
  switch (event.type) {
    case 'message.sent':
      return event.data.conversation.last_message
    case 'plant.created':
      return event.data.name
    default:
      return event.timestamp
  }
}
export { app, change, plant, hook, purchase }

// @ts-expect-error -- the name is required
export const nameless: NewApp = { display_name: 'Helper' }
// @ts-expect-error -- there is no such event
export const wrongEvent: NewWebhook = { url: 'https://hooks.example.com', events: ['app.create'] }
// @ts-expect-error -- there is no such field
export const wrongField: NewPlant = { id: 1, name: 'Ficus', colour: 'green' }
// @ts-expect-error -- a plant shows no id
export const id = shown.id
// The reference leaves the list of codes open.
export const isLost = refused.error.code === 'lost'
`

/** Nothing else is installed: no types of Node, no msw, no zod. */
const alone = packedProject()
alone.write('client.mts', client)
alone.write('client.cts', client)

test.each([
  { moduleResolution: 'bundler', module: 'esnext', files: ['client.mts'] },
  { moduleResolution: 'nodenext', module: 'nodenext', files: ['client.mts', 'client.cts'] },
])(
  'custom clients can use the types of requests, replies and events with $moduleResolution',
  (options) => {
    const { files, ...resolution } = options
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      strict: true,
      noEmit: true,
    }
    expect(compile(alone, compilerOptions, files)).toBe('')
  },
)

test('imported as if it were code, it is an empty module', () => {
  const script = `console.log({ ...(await import('greenhouse-mock/types')) })`
  expect(alone.run(process.execPath, '--input-type=module', '-e', script)).toBe('{}\n')
})

// The last one: it moves the package.
test('exported handlers can be named in a pnpm project that has msw only transitively', () => {
  const modules = join(project.folder, 'node_modules')
  const apart = join(modules, '.pnpm/node_modules')
  mkdirSync(join(apart, 'msw'), { recursive: true })
  renameSync(project.installed, join(apart, 'greenhouse-mock'))
  symlinkSync(join(apart, 'greenhouse-mock'), project.installed)
  rmSync(join(modules, 'msw'))
  project.write(
    'node_modules/.pnpm/node_modules/msw/package.json',
    '{ "name": "msw", "types": "./index.d.ts" }',
  )
  project.write(
    'node_modules/.pnpm/node_modules/msw/index.d.ts',
    'export declare class HttpHandler { info: object }',
  )
  project.write('own.mts', use)
  expect(checkTypes(project, 'nodenext', 'own.mts')).toBe('')
})
