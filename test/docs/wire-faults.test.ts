import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { canRun, sharedBrowser } from '../browser/chromium.ts'
import { curl, inChromium, nodeFetch, nodeHttp, type Client } from '../wire/clients.ts'
import { toName, toScenarios, wireFaults } from '../wire/faults.ts'
import { columnOf, expectTables, readPage, toTable } from './table.ts'

const columns = ['curl', "Node's `fetch`", '`node:http`', "Chromium's `fetch`"]

/** Other versions word the same errors differently, and keep their columns. */
const isDocumentedNode = process.versions.node.startsWith('20.')
const curlVersion = spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout
const isDocumentedCurl = curlVersion?.startsWith('curl 7.88.') ?? false
const hasCurl = Boolean(curlVersion) || Boolean(process.env['CI'])

const seen = new Map<string, Map<string, string>>()

beforeAll(async () => {
  const greenhouse = createGreenhouse({ scenarios: toScenarios() })
  await using server = await serve(greenhouse)
  for (const fault of Object.keys(wireFaults)) greenhouse.world(toName(fault)).use(toName(fault) as never)
  const page = canRun ? await (await sharedBrowser()).newPage() : undefined
  try {
    await page?.goto(`${server.url}/plants`)
    const clients: Record<string, Client | false | undefined> = {
      curl: hasCurl && curl,
      "Node's `fetch`": nodeFetch,
      '`node:http`': nodeHttp,
      "Chromium's `fetch`": page && inChromium(page),
    }
    const ask = async (client: Client) => {
      const told = new Map<string, string>()
      for (const fault of ['whole', ...Object.keys(wireFaults)]) {
        const patience = fault === 'timeout' ? 300 : 60_000
        told.set(fault, await client(`${server.url}/~${toName(fault)}/plants?limit=1`, patience))
      }
      return told
    }
    await Promise.all(columns.map(async (column) => clients[column] && seen.set(column, await ask(clients[column]))))
  } finally {
    await page?.close()
  }
})

test('docs/wire-faults.md shows what clients were seen to report', async () => {
  // A client that is not here, or not as documented, keeps its column.
  const written = readPage('wire-faults.md')
  const kept = new Set([
    ...(isDocumentedCurl ? [] : ['curl']),
    ...(isDocumentedNode ? [] : ["Node's `fetch`", '`node:http`']),
  ])
  const cells = columns.map((column) => (kept.has(column) ? undefined : seen.get(column)) ?? columnOf(written, column))
  const rows = Object.keys(wireFaults).map((fault) => [fault, ...cells.map((column) => column.get(fault)!)])
  await expectTables('wire-faults.md', [toTable(['fault', ...columns], rows)])
})

test('every client distinguishes a broken reply from a whole one, whatever it calls it', () => {
  expect(seen.size).toBeGreaterThanOrEqual(2)
  for (const [client, told] of seen) {
    expect(told.get('whole'), client).toMatch(/^no error, \d+ bytes of JSON$/)
    for (const fault of ['timeout', 'network-error', 'reset', 'empty-reply', 'garbage', 'truncate, lying'])
      expect(told.get(fault), `${client}: ${fault}`).not.toMatch(/^no error/)
  }
})
