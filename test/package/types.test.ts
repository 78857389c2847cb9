import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked, root, type Project } from './packed.ts'

const use = `
import { createGreenhouse, DataError } from 'greenhouse-mock'
import type { App, Clock, Journal, JournalEntry, Plant, Records, World } from 'greenhouse-mock'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { test as browserTest } from 'greenhouse-mock/playwright'
import { serve } from 'greenhouse-mock/server'
import { createTest, test } from 'greenhouse-mock/vitest'

const greenhouse = createGreenhouse({ fixtures: loadFixtures('fixtures'), scenarios: loadScenarios('scenarios'), seed: 1, now: '2026-01-01T00:00:00Z' })
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
// @ts-expect-error -- a name is no number
const wrong: number | undefined = apps.get('app_1')?.name
// @ts-expect-error -- there is no such member
world.records.shrubs
`

const useAll = `${use}
createTest({ apps: 'http://apps.test/v1', seed: 1 }).concurrent('a test', ({ world, api }) => world.use(api.key('key_pro')))
test('a test', async ({ world, api, greenhouse }) => void (await greenhouse.fetch(new Request(api.plantsUrl + world.name))))
browserTest('a test', async ({ page, world, greenhouseHost }) => void (await page.goto(greenhouseHost.plants + world.name)))
browserTest.use({ greenhouseOptions: { seed: 1 } })
export async function run(): Promise<unknown> {
  await using server = await serve(greenhouse, { port: 0 })
  const response: Response = await greenhouse.fetch(new Request(server.url + '/plants'))
  return [response, createHandlers(greenhouse, { plants: server.url, apps: server.url + '/v1' }), createMiddleware(greenhouse), DataError, entry, name, id, plant, wrong]
}
`

const noAny = `
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHandler } from 'msw'
import * as index from 'greenhouse-mock'
import * as express from 'greenhouse-mock/express'
import * as msw from 'greenhouse-mock/msw'
import * as node from 'greenhouse-mock/node'
import * as server from 'greenhouse-mock/server'

type IsAny<T> = 0 extends 1 & T ? true : false
type Foreign = string | Request | Response | Uint8Array | URLSearchParams | RegExp | Error | IncomingMessage | ServerResponse | HttpHandler
type Less = { 8: 7; 7: 6; 6: 5; 5: 4; 4: 3; 3: 2; 2: 1; 1: 0; 0: never }
/** The path to the first \`any\` in a type; \`never\` when there is none. */
type AnyIn<T, Depth extends keyof Less = 6> = IsAny<T> extends true
  ? 'any'
  : [Depth] extends [0]
    ? never
    : T extends Foreign
      ? never
      : T extends Promise<infer Value>
        ? AnyIn<Value, Less[Depth]>
        : T extends readonly (infer Item)[]
          ? AnyIn<Item, Less[Depth]>
          : T extends abstract new (...parameters: infer Parameters) => infer Instance
            ? AnyIn<Parameters, Less[Depth]> | AnyIn<Instance, Less[Depth]>
            : T extends (...parameters: infer Parameters) => infer Result
              ? AnyIn<Parameters, Less[Depth]> | AnyIn<Result, Less[Depth]>
              : T extends object
                ? { [Key in keyof T]-?: AnyIn<T[Key], Less[Depth]> extends never ? never : \`\${Key & string}.\${AnyIn<T[Key], Less[Depth]> & string}\` }[keyof T]
                : never

const found: AnyIn<{ leak: (options: { any: any }) => void }> = 'leak.any.any'
type Public = [typeof index, typeof express, Parameters<typeof msw.createHandlers>, typeof node, typeof server, index.Account, index.App, index.Assumption,
  index.Clock, index.Fixtures, index.Greenhouse, index.GreenhouseOptions, index.JournalEntry, index.JournalQuery, index.Journal, index.Key,
  index.OperationSummary, index.Plant, index.Problem, index.Records<{ id: string }>, index.Reply, index.ScenarioChoice, index.ScenarioSummary,
  index.Scope, index.ServiceRequest, index.ActiveScenario, index.AssumptionChoices, index.BundledScenarios, index.WorldStart, index.World, index.WorldRecords]
const none: AnyIn<Public, 8> extends never ? true : AnyIn<Public, 8> = true
export { found, none }
`

/** One line each, which a strict TypeScript must refuse: a misspelt name, or a value that there is not. */
const slips = [
  "world.journal.calls({ operation: 'plants.crate' })",
  "world.journal.calls({ oper: 'plants.create' })",
  "world.assume('plants.delete.unknwn', '204')",
  "world.assume('plants.delete.unknown', '205')",
  "world.assume({ 'plants.delete.unknwn': '204' })",
  "world.trigger('plant.create')",
  'world.reset({ sed: 1 })',
  "world.reset({ assumptions: { 'plants.delete.unknown': '205' } })",
  "createGreenhouse({ assumptions: { 'plants.delete.unknown': '205' } })",
  "createGreenhouse({ use: 'slow' })",
  'createGreenhouse({ sed: 1 })',
]

const names = `
import { createGreenhouse, type AssumptionId, type BundledScenarios, type EventType, type OperationId, type ScenarioName } from 'greenhouse-mock'

const world = createGreenhouse({ use: ['slow', 'slow:ms=800', { name: 'rate-limited-plan', window: 'day' }, { name: 'my-own', colour: 'red' }] }).world()
world.use('slow', { ms: 800, operation: 'apps.list' })
world.use({ name: 'malformed-plant', kind: 'null' })
world.use('my-own', { colour: 'red' })
world.clear('my-own')
world.assume('plants.delete.unknown', '204')
world.assume({ 'plants.delete.unknown': '204', 'rate-limit.scope': 'key' })
world.useOnly(world.active)
const calls: OperationId[] = createGreenhouse().operations().map(({ id }) => id)
const value: '404' | '400' | '204' = world.assumptions['plants.delete.unknown']

/** What an editor completes: the literal names of a union, without the open end that lets own names in. */
type Literals<T> = T extends string ? (string extends T ? never : T) : never
type Has<T, Name> = Name extends Literals<T> ? true : false
const known: [Has<OperationId, 'plants.create'>, Has<AssumptionId, 'plants.delete.unknown'>, Has<EventType, 'message.sent'>, Has<ScenarioName, 'expired-key'>, Has<keyof BundledScenarios['slow'], 'ms' | 'on'>] = [true, true, true, true, true]
const unknown: [Has<OperationId, 'plants.crate'>, Has<AssumptionId, 'plants.delete'>, Has<EventType, 'message.send'>] = [false, false, false]
export { calls, known, unknown, value }

${slips.map((slip) => `// @ts-expect-error\n${slip}`).join('\n')}
`

let project: Project

beforeAll(() => {
  project = installPacked({ beside: ['msw', 'vitest', '@playwright/test', '@types/node'] })
  project.write('use.mts', useAll)
  project.write('use.cts', useAll)
  project.write('no-any.mts', noAny)
  project.write('names.mts', names)
})

afterAll(() => project.remove())

/** What a strict TypeScript says of the files, libraries' declarations included. */
function check(moduleResolution: 'bundler' | 'nodenext', ...files: string[]): string {
  const options = {
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
  }
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, ...strict }, files }))
  try {
    return project.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test('a strict project that resolves like a bundler has types for every entry', () => {
  expect(check('bundler', 'use.mts')).toBe('')
})

test('a strict project that resolves like Node has types for every entry, from ES modules and from CommonJS', () => {
  expect(check('nodenext', 'use.mts', 'use.cts')).toBe('')
})

test('no public type holds an any', () => {
  expect(check('bundler', 'no-any.mts')).toBe('')
})

test('operations, assumptions with their values, events and bundled scenarios have their names in the types, and a slip is an error', () => {
  expect(check('bundler', 'names.mts')).toBe('')
})
