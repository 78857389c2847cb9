import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serve } from '../../src/adapters/server.ts'
import { createGreenhouse } from '../../src/index.ts'
import { canRun, launch } from '../browser/chromium.ts'
import { curl, inChromium, nodeFetch, nodeHttp, type Client } from '../wire/clients.ts'
import { toName, toScenarios, wireFaults } from '../wire/faults.ts'
import { columnOf, toTable } from './table.ts'

const columns = ['curl', "Node's `fetch`", '`node:http`', "Chromium's `fetch`"]

/** Other versions word the same errors differently, and keep their columns. */
const isDocumentedNode = process.versions.node.startsWith('20.')
const isDocumentedCurl = spawnSync('curl', ['--version']).stdout?.toString().startsWith('curl 7.88.')

test('docs/wire-faults.md tells what clients were seen to report', async () => {
  const greenhouse = createGreenhouse({ scenarios: toScenarios() })
  await using server = await serve(greenhouse)
  for (const fault of Object.keys(wireFaults)) greenhouse.world(toName(fault)).use(toName(fault))
  const see = async (client: Client) => {
    const seen: string[] = []
    for (const fault of Object.keys(wireFaults)) seen.push(await client(`${server.url}/~${toName(fault)}/plants?limit=1`))
    return seen
  }
  const browser = canRun ? await launch() : undefined
  try {
    const page = await browser?.newPage()
    await page?.goto(`${server.url}/plants`)
    const clients = [isDocumentedCurl && curl, isDocumentedNode && nodeFetch, isDocumentedNode && nodeHttp, page && inChromium(page)]
    // A client that is not here keeps its column.
    const written = readFileSync(new URL('../../docs/wire-faults.md', import.meta.url), 'utf8')
    const seen: string[][] = []
    for (const [column, client] of clients.entries()) seen.push(client ? await see(client) : Object.keys(wireFaults).map((fault) => columnOf(written, columns[column]!).get(fault)!))
    const rows = Object.keys(wireFaults).map((fault, row) => [fault, ...seen.map((column) => column[row]!)])
    await expect(toText(toTable(['fault', ...columns], rows))).toMatchFileSnapshot('../../docs/wire-faults.md')
  } finally {
    await browser?.close()
  }
}, 60_000)

const toText = (table: string) => `# Wire faults, as clients report them

What clients that know nothing of Greenhouse say when \`GET /plants?limit=1\` meets a [fault](scenarios.md) of the node server. A
test asks curl 7.88, Node 20's \`fetch\` and \`node:http\`, and Chromium (what the page is told, and what the browser's network log
says), with a time-out of their own that only \`timeout\` runs into.

${table}

curl's numbers are its exit codes.
`

test('every client tells a broken reply from a whole one, whatever it calls it', async () => {
  const greenhouse = createGreenhouse({ scenarios: toScenarios() })
  await using server = await serve(greenhouse)
  const clients = [nodeFetch, nodeHttp, ...(process.env['CI'] || isDocumentedCurl ? [curl] : [])]
  for (const client of clients) {
    expect(await client(`${server.url}/~whole/plants?limit=1`)).toMatch(/^no error, \d+ bytes of JSON$/)
    for (const fault of ['timeout', 'network-error', 'reset', 'empty-reply', 'garbage', 'truncate, lying']) {
      greenhouse.world(toName(fault)).use(toName(fault))
      expect(await client(`${server.url}/~${toName(fault)}/plants?limit=1`), fault).not.toMatch(/^no error/)
    }
  }
})
