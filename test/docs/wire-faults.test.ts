import { execFile, spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { canRun, sharedBrowser } from '../browser/chromium.ts'
import { toName, toScenarios, wireFaults } from '../wire/faults.ts'
import { columnOf, expectTables, readPage, toTable } from './table.ts'
import { request } from 'node:http'
import type { Page } from 'playwright-core'

/** Gets a URL and describes the result, within so many milliseconds. */
type Client = (url: string, patience: number) => Promise<string>

const key = 'Bearer key_pro'

/** curl's output and exit code. */
const curl: Client = (url, patience) =>
  new Promise((resolve) => {
    execFile(
      'curl',
      [
        '--silent',
        '--show-error',
        '--max-time',
        String(patience / 1_000),
        '--header',
        `Authorization: ${key}`,
        url,
      ],
      { encoding: 'buffer' },
      (error, stdout, stderr) => {
        if (!error) resolve(toBody(stdout))
        else
          resolve(
            `exit ${error.code}: ${stderr
              .toString()
              .trim()
              .replace(/^curl: \(\d+\) /, '')
              .replace(
                /\d+ (milliseconds|out of|bytes)/g,
                'n $1',
              )}${stdout.length > 0 ? `, after ${stdout.length} bytes` : ''}`,
          )
      },
    )
  })

/** The error of Node's fetch. */
const nodeFetch: Client = async (url, patience) => {
  try {
    const response = await fetch(url, {
      headers: { authorization: key },
      signal: AbortSignal.timeout(patience),
    })
    return toBody(Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
    return `${name}: ${message}${cause ? `, cause ${cause.code ?? cause.name}: ${cause.message}` : ''}`
  }
}

/** The events of node:http. */
const nodeHttp: Client = (url, patience) =>
  new Promise((resolve) => {
    const tell = (where: string) => (error: NodeJS.ErrnoException) =>
      resolve(`${where}: ${error.code ?? error.name}: ${error.message}`)
    const asked = request(
      url,
      { headers: { authorization: key }, agent: false, signal: AbortSignal.timeout(patience) },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(toBody(Buffer.concat(chunks))))
        response.on('error', tell('response error'))
      },
    )
    asked.on('error', tell('request error'))
    asked.end()
  })

/** The error of a page's fetch, and Chromium's message. */
const inChromium =
  (page: Page): Client =>
  async (url, patience) => {
    const failed = new Promise<string>((resolve) =>
      page.on('requestfailed', (one) => one.url() === url && resolve(one.failure()!.errorText)),
    )
    const told = await page.evaluate(
      async ([url, key, patience]) => {
        try {
          const response = await fetch(url, {
            headers: { authorization: key },
            signal: AbortSignal.timeout(patience),
          })
          return { bytes: [...new Uint8Array(await response.arrayBuffer())] }
        } catch (error) {
          return { error: `${(error as Error).name}: ${(error as Error).message}` }
        }
      },
      [url, key, patience] as const,
    )
    // The two come in any order. What the page gave up itself is no failure of the browser.
    const failure = told.error?.startsWith('TypeError') ? `, ${await failed}` : ''
    page.removeAllListeners('requestfailed')
    if (told.error === undefined) return toBody(Buffer.from(told.bytes))
    return told.error + failure
  }

/** A body that came: how much of it, and whether it is what it says. */
function toBody(bytes: Buffer): string {
  const whole = `${bytes.length} bytes`
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return `no error, ${whole} of JSON`
  } catch (error) {
    return `no error, ${whole} that are no ${error instanceof SyntaxError ? 'JSON' : 'UTF-8'}`
  }
}

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
  for (const fault of Object.keys(wireFaults))
    greenhouse.world(toName(fault)).use(toName(fault) as never)
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
    await Promise.all(
      columns.map(
        async (column) => clients[column] && seen.set(column, await ask(clients[column])),
      ),
    )
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
  const cells = columns.map(
    (column) => (kept.has(column) ? undefined : seen.get(column)) ?? columnOf(written, column),
  )
  const rows = Object.keys(wireFaults).map((fault) => [
    fault,
    ...cells.map((column) => column.get(fault)!),
  ])
  await expectTables('wire-faults.md', [toTable(['fault', ...columns], rows)])
})

test('every client distinguishes a broken reply from a whole one, whatever it calls it', () => {
  expect(seen.size).toBeGreaterThanOrEqual(2)
  for (const [client, told] of seen) {
    expect(told.get('whole'), client).toMatch(/^no error, \d+ bytes of JSON$/)
    for (const fault of [
      'timeout',
      'network-error',
      'reset',
      'empty-reply',
      'garbage',
      'truncate, lying',
    ])
      expect(told.get(fault), `${client}: ${fault}`).not.toMatch(/^no error/)
  }
})
