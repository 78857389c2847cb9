import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'
import { canRun } from '../browser/chromium.ts'
import { bundlePage, runPage } from '../browser/site.ts'
import { observeThrough } from '../parity/columns.ts'
import { toWords, type Observed } from '../parity/observe.ts'
import { everyFault as faults } from '../parity/every-fault.ts'
import { effects } from '../parity/situations.ts'
import { adapters, closeTargets, inFront } from '../support/adapters.ts'
import { start } from '../support/test-api.ts'
import { columnOf, expectTables, readPage, toTable } from './table.ts'

const situations = [...faults, ...effects]
const inBrowser = 'MSW in a browser'

test('every fault and every effect of a scenario has a row', () => {
  const rows = new Set(situations.map(({ name }) => name.split(',')[0]))
  expect(rows).toEqual(
    new Set([
      ...faultKinds.map(({ kind }) => kind),
      ...effectKinds
        .map(({ name }) => name)
        // A delivery is no reply; what comes of a payment is tested through every adapter with the bundled scenarios.
        .filter((name) => name !== 'fault' && name !== 'deliver' && name !== 'payments'),
    ]),
  )
})

test('docs/parity.md shows the observed behaviour of each adapter', async () => {
  const columns = new Map<string, Observed[]>()
  for (const adapter of adapters) columns.set(adapter.name, await observeThrough(adapter, situations))
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
  const browser = canRun ? compared(await observeInBrowser()) : situations.map(({ name }) => written.get(name)!)
  const without = situations.filter((_, row) => toWords(reference[row]!, plain[row]) === 'the reply')
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
    toTable(head, rows.slice(0, faults.length)),
    toTable(head, rows.slice(faults.length)),
  ])
})

async function observeInBrowser(): Promise<Observed[]> {
  const { result } = await runPage(await bundlePage('faults-page.ts'), (page) =>
    page.evaluate(([all, now]) => globalThis.observeInPage(all, now), [situations, start] as const),
  )
  return result
}
