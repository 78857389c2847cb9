import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTypes, packedProject, typedPeers } from './packed.ts'

/** The completions of an editor: the literal names of a union, without its open end. */
const completions = `
import { createGreenhouse, type AssumptionId, type AssumptionValues, type BundledScenarios, type EventData, type EventType, type JournalQuery, type MalformationKind, type OperationId, type OperationPattern, type PlanName, type RecordTypes, type ScenarioName, type Scope, type WebhookEvent } from 'greenhouse-mock'

declare module 'greenhouse-mock' {
  interface Scenarios {
    'my-own': { colour?: 'red' | 'green' }
  }
}

type Literals<T> = T extends string ? (string extends T ? never : T) : never
type Has<T, Name> = Name extends Literals<T> ? true : false
export const known: [
  Has<OperationId, 'plants.create'>, Has<OperationPattern, 'plants.create'>, Has<NonNullable<JournalQuery['operation']>, 'apps.list'>,
  Has<AssumptionId, 'plants.delete.unknown'>, Has<AssumptionValues['plants.delete.unknown'], '204'>,
  Has<EventType, 'message.sent'>, Has<WebhookEvent['type'], 'app.created'>, Has<keyof EventData, 'payment.failed'>,
  Has<ScenarioName, 'expired-key'>, Has<keyof BundledScenarios['slow'], 'ms' | 'on'>, Has<NonNullable<BundledScenarios['rate-limited-plan']['window']>, 'day'>,
  Has<MalformationKind, 'wrong-type'>, Has<PlanName, 'pro_plus'>, Has<Scope, 'apps:read'>, Has<keyof RecordTypes, 'deliveries'>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
export const unknown: [Has<OperationId, 'plants.crate'>, Has<AssumptionId, 'plants.delete'>, Has<EventType, 'message.send'>, Has<ScenarioName, 'expird-key'>] = [false, false, false, false]

const world = createGreenhouse({ use: ['slow', 'slow:ms=800', { name: 'rate-limited-plan', window: 'day' }, { name: 'my-own', colour: 'red' }] }).world()
world.use('slow', { ms: 800, operation: 'apps.list' })
world.use({ name: 'malformed-plant', kind: 'null' })
world.use('my-own', { colour: 'red' })
world.clear('my-own')
world.assume('plants.delete.unknown', '204')
world.assume({ 'plants.delete.unknown': '204', 'rate-limit.scope': 'key' })
world.useOnly(world.active)
export const calls: OperationId[] = createGreenhouse().operations().map(({ id }) => id)
export const value: '404' | '400' | '204' = world.assumptions['plants.delete.unknown']
`

/**
 * Slips, one expression each: a misspelt name, or a value that does not exist. What a name of one's
 * own could be is not among them.
 */
const slips: Readonly<Record<string, readonly string[]>> = {
  'the name of a scenario': ["toSummary('expird-key')"],
  'a scenario that is switched on': [
    "world.use('expird-key')",
    "world.use('slwo:ms=3')",
    "world.use('slow', { milis: 3 })",
    "world.use('rate-limited-plan', { window: 'hour' })",
    "world.use({ name: 'slow', milis: 3 })",
    "world.use({ respond: [{ on: 'apps.lst', status: 500 }] })",
    "world.useOnly(['expird-key'])",
    "world.clear('expird-key')",
    "world.reset({ scenarios: ['expird-key'] })",
    "createGreenhouse({ use: ['expird-key'] })",
  ],
  'an option of a scenario': [
    "toOptions({ kind: 'nul' })",
    "toOptions({ feild: 'name' })",
    "slow({ ms: '800' })",
  ],
  'the id of an operation': [
    "world.journal.calls({ operation: 'plants.crate' })",
    "world.journal.calls({ oper: 'plants.create' })",
  ],
  'the id of an assumption': [
    "world.assume('plants.delete.unknwn', '204')",
    "world.assume({ 'plants.delete.unknwn': '204' })",
  ],
  'the value of an assumption': [
    "world.assume('plants.delete.unknown', '205')",
    "world.assume({ 'plants.delete.unknown': '205' })",
    "world.reset({ assumptions: { 'plants.delete.unknown': '205' } })",
    "createGreenhouse({ assumptions: { 'plants.delete.unknown': '205' } })",
    "world.assumptions['plants.delete.unknown'] === '205'",
  ],
  'the type of an event': ["world.trigger('plant.create')", "event.type === 'plant.create'"],
  'the data of an event': [
    "event.type === 'plant.created' && event.data.colour",
    "event.type === 'app.created' && event.data.user",
  ],
  'a collection or a field': [
    'world.records.shrubs',
    "world.records.plants.find({ nam: 'Ficus' })",
    "world.records.plants.find({}, { orderBy: { nam: 'asc' } })",
    "new Query<Plant>().where({ nam: 'Ficus' })",
    "world.records.apps.update('app_1', { name: 1 })",
  ],
  'an option of a call': [
    "createGreenhouse({ use: 'slow' })",
    'createGreenhouse({ sed: 1 })',
    'world.reset({ sed: 1 })',
    'serve(greenhouse, { prot: 1 })',
    "createHandlers(greenhouse, { plant: 'https://plants.test' })",
    "watchFolders(greenhouse, { fixture: 'fixtures' })",
    'createTest({ sed: 1 })',
    'browserTest.use({ greenhouseOptions: { sed: 1 } })',
  ],
  'an inline scenario': [
    'world.use({ repond: [] })',
    'world.use({ respond: [{ sttus: 500 }] })',
    "world.use({ fault: [{ kind: 'dely', fixed: '1s' }] })",
    "world.use({ assume: { 'plants.delete.unknown': '205' } })",
    "world.useOnly([{ quota: [{ window: 'hour' }] }])",
    "createGreenhouse({ use: [{ records: [{ collection: 'plant', keep: 'none' }] }] })",
  ],
  'what a world is to have received': [
    "browserExpect(world).toHaveReceived('plants.craete')",
    "browserExpect(world).toHaveReceived('plants.create', { tims: 1 })",
    "browserExpect(world).toHaveReceivedInOrder([{ operation: 'plants.list', times: 1 }])",
    "world.journal.calls({ paht: '/plants' })",
  ],
}

const use = `
import { createGreenhouse, type BundledScenarios, type Plant, type WebhookEvent } from 'greenhouse-mock'
import { Query } from 'greenhouse-mock/data'
import { createHandlers } from 'greenhouse-mock/msw'
import { watchFolders } from 'greenhouse-mock/node'
import { expect as browserExpect, test as browserTest } from 'greenhouse-mock/playwright'
import { serve } from 'greenhouse-mock/server'
import { createTest } from 'greenhouse-mock/vitest'

const greenhouse = createGreenhouse()
const world = greenhouse.world()
declare const event: WebhookEvent
declare function toSummary(name: keyof BundledScenarios): void
declare function toOptions(options: BundledScenarios['malformed-plant']): void
declare function slow(options: BundledScenarios['slow']): void
export const used = [greenhouse, world, event, toSummary, toOptions, slow, Query, createHandlers, watchFolders, browserExpect, browserTest, serve, createTest]
export type Used = Plant
`

const ownScenario = `title: Late
description: Late, often.
covers: Spinners.
options:
  wait: { description: How long., type: duration, default: 800ms }
  tone: { description: How it is said., values: [plain, "it's rude"], default: plain }
  on: { description: Where., default: '*' }
fault:
  - { on: '\${on}', kind: delay, fixed: '\${wait}' }
respond:
  - { on: '\${on}', status: 503, headers: { x-tone: '\${tone}' } }
`

const project = packedProject(...typedPeers)

test('an editor completes all names, the values of assumptions and the options of scenarios', () => {
  project.write('completions.mts', completions)
  expect(checkTypes(project, 'bundler', 'completions.mts')).toBe('')
})

test('the output of greenhouse-mock types names own scenarios and operations, in CommonJS too', () => {
  const cli = join(project.installed, 'dist/greenhouse.cjs')
  mkdirSync(join(project.folder, 'scenarios'))
  project.write('scenarios/late.yaml', ownScenario)
  project.write(
    'greenhouse.config.mjs',
    `import { defineOperation } from 'greenhouse-mock/config'
const water = defineOperation({ id: 'plants.water', method: 'POST', path: '/plants/{id}/water', handle: () => undefined })
export default { operations: [water] }
`,
  )
  const printed = project.run(process.execPath, cli, 'types', 'scenarios')
  const own = `import { createGreenhouse } from 'greenhouse-mock'
import { createTest } from 'greenhouse-mock/vitest'
const world = createGreenhouse().world()
createTest()('water', ({ world, expect }) => expect(world).toHaveReceived('plants.water'))
world.journal.calls({ operation: 'plants.water' })
world.use('late', { wait: '1s', tone: "it's rude", on: 'plants.*' })
// @ts-expect-error
world.use('late', { tone: 'kind' })
`
  for (const [kind, resolution] of [
    ['m', 'bundler'],
    ['c', 'nodenext'],
  ] as const) {
    project.write(`greenhouse.d.${kind}ts`, printed)
    project.write(`own.${kind}ts`, own)
    expect(checkTypes(project, resolution, `greenhouse.d.${kind}ts`, `own.${kind}ts`)).toBe('')
  }
})

let checked: string | undefined

const files = Object.entries(slips).map(([what, lines], place) => ({
  what,
  lines,
  file: `slips-${place}.mts`,
}))

/**
 * Compiles all files with mistakes in one run, since declarations of libraries take most of the
 * time.
 */
function checkAll(): string {
  for (const { file, lines } of files)
    project.write(file, [use, ...lines.map((line) => `// @ts-expect-error\n${line}`)].join('\n'))
  return checkTypes(project, 'bundler', ...files.map(({ file }) => file))
}

test.each(files)('a slip in $what is an error', ({ file }) => {
  const said = (checked ??= checkAll()).split('\n')
  expect(said.filter((line) => line.startsWith(file))).toEqual([])
  // Other messages could hide a missing one.
  expect(said.filter((line) => line !== '' && !/^(slips-|\s)/.test(line))).toEqual([])
})
