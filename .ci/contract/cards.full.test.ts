// What the report card says of well-known clients with their retries, as they are by default.
import { readFileSync } from 'node:fs'
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import axios from 'axios'
import axiosRetry, { exponentialDelay, type IAxiosRetryConfig } from 'axios-retry'
import got from 'got'
import ky from 'ky'
import createClient from 'openapi-fetch'
import { Agent, fetch as undiciFetch, RetryAgent } from 'undici'
import { expect, test } from 'vitest'
import { serve } from '../../src/adapters/server.ts'
import { collectEvidence, type ReportCard } from '../../src/evidence.ts'
import { createGreenhouse } from '../../src/index.ts'

interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

type Create = (base: string, key: string) => (request: Request) => unknown

const toHeaders = (key: string) => ({ authorization: `Bearer ${key}` })

const toInit = (key: string, { method, body }: Request) => ({
  method,
  headers: { ...toHeaders(key), 'content-type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
})

const withAxios =
  (retry?: IAxiosRetryConfig): Create =>
  (base, key) => {
    const client = axios.create({ baseURL: base, headers: toHeaders(key) })
    if (retry) axiosRetry(client, retry)
    return ({ method, path, body }) => client.request({ method, url: path, data: body })
  }

const query: Create = (base, key) => {
  const client = new QueryClient()
  const ask = async (request: Request) => {
    const reply = await fetch(base + request.path, toInit(key, request))
    if (!reply.ok) throw new Error(String(reply.status))
    return reply.json()
  }
  return (request) =>
    request.method === 'GET'
      ? // As useQuery does by default; fetchQuery alone does not retry.
        client.fetchQuery({ queryKey: [request.path], retry: 3, queryFn: () => ask(request) })
      : new MutationObserver(client, { mutationFn: () => ask(request) }).mutate()
}

/**
 * Functions that create a client, which sends a request. Their options are those of their
 * documentation's first example.
 */
const clients: Readonly<Record<string, Create>> = {
  axios: withAxios(),
  'axios-retry': withAxios({ retries: 3 }),
  'axios-retry, exponentialDelay': withAxios({ retries: 3, retryDelay: exponentialDelay }),
  ky: (base, key) => {
    const client = ky.create({ prefixUrl: base, headers: toHeaders(key), timeout: 15_000 })
    return ({ method, path, body }) =>
      client(path.slice(1), { method, ...(body && { json: body }) })
  },
  got: (base, key) => {
    const client = got.extend({ prefixUrl: base, headers: toHeaders(key) })
    return ({ method, path, body }) =>
      client(path.slice(1), { method, ...(body && { json: body }) })
  },
  'undici RetryAgent': (base, key) => {
    const dispatcher = new RetryAgent(new Agent())
    return (request) => undiciFetch(base + request.path, { dispatcher, ...toInit(key, request) })
  },
  'openapi-fetch': (base, key) => {
    const client = createClient<any>({ baseUrl: base, headers: toHeaders(key) })
    return ({ method, path, body }) => client[method](path, { ...(body && { body }) })
  },
  'React Query': query,
}

/** The longest that a client may try, in milliseconds. */
const patience = 15_000

const unavailable = {
  title: 'unavailable',
  respond: [
    {
      status: 503,
      headers: { 'Retry-After': '3' },
      body: { error: { code: 'unavailable', message: 'Try again.' } },
      times: 1,
    },
  ],
}

/** What each client meets, each in a world of its own: a scenario, and a request. */
const situations = [
  { use: 'server-error', method: 'GET', path: '/apps' },
  { use: unavailable, method: 'GET', path: '/apps' },
  { use: 'not-found', method: 'GET', path: '/apps' },
  { use: 'expired-key', method: 'GET', path: '/apps' },
  { use: 'connection-reset-after-write', method: 'POST', path: '/apps', body: { name: 'helper' } },
] as const

const rules = [
  'retry-after-honoured',
  'backs-off',
  'gives-up',
  'no-retry-of-4xx',
  'stops-on-bad-key',
  'unsafe-retry-has-key',
]

const marks = { passed: 'passed', failed: '**failed**', 'not exercised': 'does not retry' }

test('the page about evidence says what the report card says of well-known clients; -u writes it', async () => {
  const lines = [
    `| client | ${rules.map((rule) => `\`${rule}\``).join(' | ')} |`,
    `| --- |${' --- |'.repeat(rules.length)}`,
  ]
  for (const [name, create] of Object.entries(clients)) {
    const card = await grade(create)
    const results = rules.map((rule) => card.rules.find((one) => one.rule === rule)!.result)
    lines.push(`| ${name} | ${results.map((result) => marks[result]).join(' | ')} |`)
  }
  const page = readFileSync(new URL('../../docs/evidence.md', import.meta.url), 'utf8')
  const written = page.replace(/\| client \|[^]*?\n\n/, () => `${lines.join('\n')}\n\n`)
  await expect(written).toMatchFileSnapshot('../../docs/evidence.md')
})

async function grade(create: Create): Promise<ReportCard> {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const collector = collectEvidence(greenhouse)
  await Promise.all(
    situations.map(async ({ use, ...request }, index) => {
      greenhouse.world(`w${index}`).use(use)
      const send = create(`${server.url}/~w${index}/v1`, 'key_pro')
      const late = new Promise((resolve) => setTimeout(resolve, patience))
      const sent = Promise.resolve(request).then(send)
      await Promise.race([late, sent.catch(() => undefined)])
    }),
  )
  const { card } = collector.end()
  await server.close()
  return card
}
