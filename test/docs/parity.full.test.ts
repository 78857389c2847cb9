import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { createGreenhouse } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { UnsupportedFaultError } from '../../src/core/world/effective-settings.ts'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'
import { canRun } from '../browser/chromium.ts'
import { bundlePage, runPage } from '../browser/site.ts'
import { observeSituation, type Observed, toWords } from '../parity/observe.ts'
import { effects, faults, toScenario, type Situation } from '../parity/situations.ts'
import { adapters, type Adapter, closeTargets, inFront } from '../support/adapters.ts'
import { start } from '../support/test-api.ts'
import { columnOf, expectTables, readPage, toTable } from './table.ts'

const listed = new Set(faults.map(({ name }) => name.split(',')[0]))

/** One or more situations for every fault; an unlisted fault is tried without fields. */
const everyFault: readonly Situation[] = [
  ...faults,
  ...faultKinds
    .filter(({ kind }) => !listed.has(kind))
    .map(({ kind }) => ({ name: kind, effects: { fault: [{ kind, on: '*' }] } })),
]

const situations = [...everyFault, ...effects]
const inBrowser = 'MSW in a browser'

test('every fault and every effect of a scenario has a row', () => {
  const rows = new Set(situations.map(({ name }) => name.split(',')[0]))
  expect(rows).toEqual(
    new Set([
      ...faultKinds.map(({ kind }) => kind),
      ...effectKinds
        .map(({ name }) => name)
        // A delivery is no reply; what comes of a payment is tested through every adapter with the
        // bundled scenarios.
        .filter((name) => name !== 'fault' && name !== 'deliver' && name !== 'payments'),
    ]),
  )
})

test('docs/parity.md shows the observed behaviour of each adapter', async () => {
  const columns = new Map<string, Observed[]>()
  for (const adapter of adapters)
    columns.set(adapter.name, await observeThrough(adapter, situations))
  columns.set('proxy', await observeThrough(inFront, situations))
  await closeTargets()
  const reference = columns.get('node server')!
  const nodeServer = adapters.find(({ name }) => name === 'node server')!
  const plain = await observeThrough(
    nodeServer,
    situations.map((situation) => ({ ...situation, effects: { assume: {} } })),
  )
  const compared = (observed: readonly Observed[]) =>
    observed.map((one, row) => (isDeepStrictEqual(one, reference[row]) ? 'same' : toWords(one)))
  // Without a browser its column stays what it was.
  const written = columnOf(readPage('parity.md'), inBrowser)
  const browser = canRun
    ? compared(await observeInBrowser())
    : situations.map(({ name }) => written.get(name)!)
  const without = situations.filter(
    (_, row) => toWords(reference[row]!, plain[row]) === 'the reply',
  )
  expect(without, 'situations in which nothing was seen to happen').toEqual([])
  const rows = situations.map(({ name }, row) => [
    name,
    toWords(reference[row]!, plain[row]),
    ...['express', 'core', 'msw'].map((adapter) => compared(columns.get(adapter)!)[row]!),
    browser[row]!,
    compared(columns.get('http-middleware')!)[row]!,
    compared(columns.get('proxy')!)[row]!,
  ])
  const head = [
    '',
    'node server',
    'Express',
    '`greenhouse.fetch`',
    'MSW in Node',
    inBrowser,
    '@mswjs/http-middleware',
    '[proxy](proxy.md)',
  ]
  await expectTables('parity.md', [
    toTable(head, withMergedRows(rows.slice(0, everyFault.length))),
    toTable(head, withMergedRows(rows.slice(everyFault.length))),
  ])
})

/** Rows that say the same are one row, with a line for each name. */
function withMergedRows(rows: readonly (readonly string[])[]): string[][] {
  const names = new Map<string, string>()
  for (const [name = '', ...cells] of rows) {
    const key = cells.join(' | ')
    const known = names.get(key)
    names.set(key, known === undefined ? name : `${known}<br>${name}`)
  }
  return [...names].map(([cells, name]) => [name, ...cells.split(' | ')])
}

async function observeInBrowser(): Promise<Observed[]> {
  const { result } = await runPage(await bundlePage('faults-page.ts'), (page) =>
    page.evaluate(([all, now]) => globalThis.observeInPage(all, now), [situations, start] as const),
  )
  return result
}

/**
 * Observes each situation through an adapter of this process. MSW intercepts the whole process, so
 * there they run one by one.
 */
async function observeThrough(
  adapter: Adapter,
  situations: readonly Situation[],
): Promise<Observed[]> {
  if (adapter.name !== 'msw')
    return Promise.all(situations.map((situation) => observeOne(adapter, situation)))
  const observed: Observed[] = []
  for (const situation of situations) observed.push(await observeOne(adapter, situation))
  return observed
}

async function observeOne(adapter: Adapter, situation: Situation): Promise<Observed> {
  // HttpResponse.error() ends a process in which @mswjs/http-middleware carries it, and so does a
  // body that breaks off.
  if (
    adapter.name === 'http-middleware' &&
    ['network-error', 'stream, fails: break'].includes(situation.name)
  )
    return endOfProcess(situation)
  const proxy = await adapter.openTarget?.()
  const greenhouse = createGreenhouse({
    now: start,
    scenarios: { situation: toScenario(situation) },
    proxy,
  })
  const { send, close } = await adapter.open(greenhouse)
  try {
    return await observeSituation(send, greenhouse.world(), situation, start)
  } catch (error) {
    if (!(error instanceof UnsupportedFaultError)) throw error
    return 'refused when switched on'
  } finally {
    await close()
  }
}

/** Runs an Express app with our handlers in a process of its own and sees one request end that. */
async function endOfProcess(situation: Situation): Promise<Observed> {
  const app = `
    import { createMiddleware } from '@mswjs/http-middleware'
    import express from 'express'
    import { createGreenhouse } from 'greenhouse-mock'
    import { createHandlers } from 'greenhouse-mock/msw'
    const greenhouse = createGreenhouse({ scenarios: { situation: ${JSON.stringify(toScenario(situation))} }, use: ['situation'] })
    const server = express().use(createMiddleware(...createHandlers(greenhouse))).listen(0, '127.0.0.1', async () => {
      await greenhouse.world().records.conversations.create({ id: 'conv_streamed', account: 'acct_pro', app: 'app_w33c4cwmhfyfktiv', user: null, platform: 'web', created_at: 0 })
      const { method = 'GET', path = '/plants', body } = ${JSON.stringify(situation)}
      const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
      await fetch('http://127.0.0.1:' + server.address().port + path, { method, headers, body }).then((response) => response.text()).catch(() => undefined)
      process.exit(7)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', app], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 1 && /status|broke off/i.test(stderr)) return 'ends the process'
  throw new Error(`The app ended with ${code}, which it should not have:\n${stderr}`)
}
