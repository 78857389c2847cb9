import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'
import { canRun } from '../browser/chromium.ts'
import { observeInBrowser } from '../browser/faults.ts'
import { observeThrough } from '../parity/columns.ts'
import { toWords, type Observed } from '../parity/observe.ts'
import { everyFault as faults } from '../parity/every-fault.ts'
import { effects } from '../parity/situations.ts'
import { adapters } from '../support/adapters.ts'
import { columnOf, toTable } from './table.ts'

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
  const reference = columns.get('node server')!
  const nodeServer = adapters.find(({ name }) => name === 'node server')!
  const plain = await observeThrough(
    nodeServer,
    situations.map((situation) => ({ ...situation, effects: { assume: {} } })),
  )
  const compared = (observed: readonly Observed[]) =>
    observed.map((one, row) => (same(one, reference[row]!) ? 'same' : toWords(one)))
  // Without a browser its column stays what it was.
  const written = columnOf(readFileSync(new URL('../../docs/parity.md', import.meta.url), 'utf8'), inBrowser)
  const browser = canRun
    ? compared(await observeInBrowser(situations))
    : situations.map(({ name }) => written.get(name)!)
  const without = situations.filter((_, row) => toWords(reference[row]!, plain[row]) === 'the reply')
  expect(
    without.map(({ name }) => name),
    'situations in which nothing was seen to happen',
  ).toEqual([])
  const rows = situations.map(({ name }, row) => [
    name,
    toWords(reference[row]!, plain[row]),
    ...['express', 'core', 'msw'].map((adapter) => compared(columns.get(adapter)!)[row]!),
    browser[row]!,
    compared(columns.get('http-middleware')!)[row]!,
  ])
  const head = ['', 'node server', 'Express', '`greenhouse.fetch`', 'MSW in Node', inBrowser, '@mswjs/http-middleware']
  await expect(
    toText(toTable(head, rows.slice(0, faults.length)), toTable(head, rows.slice(faults.length))),
  ).toMatchFileSnapshot('../../docs/parity.md')
})

function same(one: Observed, other: Observed): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const toText = (faults: string, effects: string) => `# What each adapter can do

A reply is the same through every adapter, to the byte. Faults on the wire are the exception: MSW answers inside the client's process
and has no connection to break.

A test fills this table: it switches the fault on, sends a request through the adapter and compares the result with the node
server's. *same* means the same status, headers and bytes (except \`Connection\`, \`Keep-Alive\`, \`Transfer-Encoding\`), the same
failure, or the same delay.

${faults}

- **refused when switched on**: after \`createHandlers(greenhouse)\`, switching such a scenario on throws an \`UnsupportedFaultError\` and
  changes nothing. The message names the scenario, the fault and MSW. That holds for \`world.use\`, \`useOnly\`, \`reset\`, \`restore\` and a
  reload. \`X-Greenhouse-Scenario\` and the control API answer 400 \`unsupported_fault\`. If such a scenario is already on,
  \`createHandlers\` throws. Use a server with a Greenhouse that has no handlers, or \`network-error\` and \`timeout\`, which work in MSW.
- **the request fails, saying that …**: \`greenhouse.fetch\` rejects with an error that names the fault.
- **ends the process**: \`@mswjs/http-middleware\` does not catch the error that a failed connection or a broken body causes. Use
  \`greenhouse-mock/express\` or \`greenhouse-mock/server\`.
- **held back**: the reply ends when the world's clock or the machine's clock has advanced far enough.

The other effects of scenarios change the reply itself:

${effects}

\`deliver\` acts on webhook deliveries, not on replies. \`payments\` acts on payments, in the same way through every adapter.

One difference is on purpose: the node server and Express refuse [pages of other sites](pages-and-hosts.md), and the node server
refuses foreign hosts. Inside one process, any origin may call.

\`@mswjs/http-middleware\` does not report when a client disconnects. The journal entry of such a request stays \`pending\`.
`
