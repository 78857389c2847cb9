import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock'
import { readEvidence, toCardMarkdown, toCardText } from 'greenhouse-mock/evidence'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { openPanel, panelTest } from '../support/panel.ts'
import { goTo, listPlaces } from '../panel/page.ts'
import { run } from '../support/cli.ts'
import { connectOverHttp } from '../support/mcp.ts'
import { readEvents } from '../support/events.ts'
import { times } from '../support/soak.ts'
import { writeFolder } from '../support/folder.ts'
import { watchOutputs } from '../support/outputs.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const own = 'ABCDEFGH12345678IJKLMNOP'
const long = 'own-' + 'q'.repeat(146)
const looksLike = {
  stripe: ['sk', 'live', '51QxGreenhouse0aBcDeF'].join('_'),
  restricted: ['rk', 'test', '51QxGreenhouse0aBcDeF'].join('_'),
  webhook: ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  openai: ['sk', 'proj', 'abcdefgh12345678'].join('-'),
  github: ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_'),
  aws: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  google: ['AIza', 'SyA1234567890abcdefghijklmnopqrstuv'].join(''),
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'.repeat(9)].join('.'),
}
const secrets = [...Object.values(looksLike), own, long]

const hex = (text: string) => [...text].map((one) => '%' + one.charCodeAt(0).toString(16)).join('')

/** What a text shows of the secrets, in any spelling and also in part. */
function leaksOf(outs: Record<string, string>, all: readonly string[] = secrets): string[] {
  return Object.entries(outs).flatMap(([out, text]) =>
    all.flatMap((secret) =>
      [
        secret.slice(0, secret === own || secret === looksLike.aws ? 8 : 12),
        hex(secret),
        btoa(`user:${secret}`),
      ]
        .filter((spelling) => text.includes(spelling))
        .map(
          (spelling) =>
            `${out}: …${text.slice(Math.max(0, text.indexOf(spelling) - 80)).slice(0, 140)}…`,
        ),
    ),
  )
}

type Sent = [path: string, init?: RequestInit]
const auth = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
const post = (body: BodyInit, path = '/v1/apps'): Sent => [
  path,
  { method: 'POST', headers: auth, body },
]
const header =
  (name: string) =>
  (it: string): Sent => ['/v1/apps', { headers: { ...auth, [name]: it } }]
const names =
  'Authorization Proxy-Authorization Cookie X-Api-Key Accept Content-Type Content-Encoding Authorisation Idempotency-Key X-Greenhouse-Scenario X-Greenhouse-World Referer X-Request-Id Origin'

/** Fixtures in which every secret is a key, so that Greenhouse knows it. */
const withKeys = {
  extends: 'default' as const,
  keys: secrets.map((secret) => ({ secret, account: 'acct_pro' })),
}

/** A secret in every place of a request. */
const places: Record<string, (secret: string, encoded: string) => Sent> = {
  'path segment': (_, it) => [`/hooks/${it}`],
  'id in a path': (_, it) => [`/v1/apps/${it}`, { headers: auth }],
  'path that a message cuts': (_, it) => [`/${'x'.repeat(88)}/${it}`],
  'escaped path': (it) => [`/hooks/${hex(it)}`],
  world: (_, it) => [`/~${it}/plants`],
  'query name': (_, it) => [`/plants?${it}=1&${it}=2`],
  'query name that a message cuts': (_, it) => [`/plants?${'x'.repeat(85)}.${it}=1`],
  'query value, escaped twice': (it) => [`/plants?q=.${hex(hex(it))}.`],
  'text of a header': (it) => header('x-whatever')(`a ${it} b`),
  'escaped field': (it) => post(`{"name":"${hex(it).replaceAll('%', '\\u00')}"}`),
  'escaped query name': (it) => [`/plants?${hex(it)}=1`],
  'query value': (_, it) => [`/plants?q=${it}&limit=${it}&limit=${it}`],
  ...Object.fromEntries(names.split(' ').map((name) => [name, header(name)])),
  'header name': (it) => header(it)('1'),
  'Basic credentials': (it) => header('authorization')(`Basic ${btoa(`user:${it}`)}`),
  'field names': (it) =>
    post(JSON.stringify({ name: 'x', [it]: 1, [`${'x'.repeat(85)}.${it}`]: 1 })),
  'field values': (it) => post(JSON.stringify({ name: it, model: it, app_id: it, user_id: it })),
  'nested fields': (it) => post(JSON.stringify({ name: 'x', branding: { [it]: [{ a: it }] } })),
  plant: (it) => post(JSON.stringify({ id: 7, name: it, tag: it, [it]: it }), '/plants'),
  form: (it) => post(new URLSearchParams({ [it]: '1', a: it })),
  'broken JSON': (it) => post(`{"${it}": ${it}`),
  bytes: (it) => post(Uint8Array.from([255, ...Buffer.from(it)])),
  webhook: (_, it) =>
    post(
      JSON.stringify({ url: `http://127.0.0.1:9/?access_token=${it}`, events: ['app.deleted'] }),
      '/v1/webhooks',
    ),
  'webhook with a user': (_, it) =>
    post(JSON.stringify({ url: `http://user:${it}@127.0.0.1:9/` }), '/v1/webhooks'),
}
/** No client over a socket can send these. */
const methods = (it: string): Sent[] => ['/plants', '/plnts'].map((path) => [path, { method: it }])
const headers = { 'Set-Cookie': `a=${looksLike.github}`, 'X-Own': looksLike.jwt }
const scenario = {
  respond: [
    { on: 'plants.list' as const, status: 200, headers, body: { a: looksLike.aws }, times: 1 },
  ],
}

/** Of each secret, the main places; of two without a beginning that is public, all. */
const requestsWith = (it: string): Sent[] =>
  Object.entries(places)
    .filter(
      ([place]) =>
        it === own || it === looksLike.aws || /^(path segment|query names?|field \w+)$/.test(place),
    )
    .map(([, make]) => make(it, encodeURIComponent(it)))
const all = secrets.flatMap(requestsWith)

/** Puts secrets into a Greenhouse and sends all requests. Returns the secrets that it made. */
async function plant(greenhouse: Greenhouse): Promise<string[]> {
  const world = greenhouse.world()
  const send = ([path, init]: Sent) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init))
  const { secret: generated } = await world.createKey({ account: 'acct_pro' })
  for (const secret of secrets) world.records.keys.create({ secret, account: 'acct_pro' })
  const { url } = await startReceiver(() => ({ status: 200, body: looksLike.stripe }))
  const hook = JSON.stringify({
    url: `${url}?access_token=${looksLike.openai}`,
    events: ['app.created'],
  })
  const { secret } = (await (await send(post(hook, '/v1/webhooks'))).json()) as { secret: string }
  world.use(scenario)
  for (const sent of [
    ...all,
    ...[generated, secret].flatMap(requestsWith),
    ...secrets.flatMap(methods),
  ]) {
    await (await send(sent)).text()
    await new Promise(setImmediate)
  }
  await world.settled()
  return [...secrets, generated, secret]
}

test('requests leak no secret to logs, journal, streams, cases, evidence, exports or deliveries', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  await using server = await serve(greenhouse)
  const watched = await watchOutputs(greenhouse, server)
  const events = await readEvents(server, '/events?types=request,world,records')
  const known = await plant(greenhouse)
  const outs: Record<string, string> = await watched.read()
  const paths = 'evidence case deliveries export records/keys records/webhooks quotas due'.split(
    ' ',
  )
  for (const path of [...paths.map((one) => `worlds/default/${one}`), 'worlds', 'start'])
    outs[path] = await (await fetch(`${server.url}/__greenhouse/${path}`)).text()
  outs['events'] = JSON.stringify(events.events)
  events.close()
  const { card } = readEvidence([world])
  Object.assign(outs, {
    card: JSON.stringify(card),
    text: toCardText(card),
    Markdown: toCardMarkdown(card),
  })
  Object.assign(outs, {
    violations: JSON.stringify(world.journal.violations()),
    toCase: toCaseText(world.toCase()),
  })
  for (const [name, text] of Object.entries(outs)) expect(text.length, name).toBeGreaterThan(100)
  expect(leaksOf(outs, known)).toEqual([])
  for (const it of known) expect(outs['har']).toContain(toFingerprint(it))
})

test('no answer to a coding agent shows a secret of a request', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const known = await plant(greenhouse)
  const { client } = await connectOverHttp(server.url)
  const outs: Record<string, string> = {}
  const use = async (name: string, given: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: given })
    outs[`${name} ${JSON.stringify(given)}`] = JSON.stringify(answer)
    return answer.structuredContent as { data?: { id: number }[]; next?: object } | undefined
  }
  // Each page of a case has the whole case written.
  const follow = async (name: string, given: object = {}, next: object | undefined = {}) => {
    for (let pages = 0; next && pages < (name === 'save_case' ? times(40, 5) : 40); pages++)
      next = (await use(name, { ...given, ...next }))?.next
  }
  const { tools } = await client.listTools()
  for (const { name } of tools) if (name !== 'reset_world') await use(name, {})
  await follow('requests', { limit: 100 })
  await follow('save_case')
  for (const collection of ['keys', 'webhooks', 'deliveries', 'apps', 'plants'])
    await follow('records', { collection })
  const { data = [] } = (await use('requests', { search: 'apps', limit: 100 })) ?? {}
  for (const { id } of data) {
    await use('explain_request', { id })
    for (const body_of of ['request', 'response']) await use('explain_request', { id, body_of })
  }
  expect(Object.keys(outs).length).toBeGreaterThan(100)
  expect(leaksOf(outs, known)).toEqual([])
  const errors: Record<string, string> = {}
  for (const [tool, field] of Object.entries({
    requests: 'operation',
    control: 'action',
    records: 'search',
    clock: 'now',
  }))
    for (const it of Object.values(looksLike))
      errors[`error ${Object.keys(errors).length}`] = JSON.stringify(
        await client.callTool({ name: tool, arguments: { [field]: it, limit: it } }),
      )
  expect(leaksOf(errors)).toEqual([])
})

test('errors contain no secret of a request', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const outs: Record<string, string> = {}
  for (const secret of secrets)
    greenhouse.world().records.keys.create({ secret, account: 'acct_pro' })
  for (const it of [...Object.values(looksLike), own]) {
    for (const name of names.split(' '))
      outs[`${name} ${it}`] = await (
        await fetch(`${server.url}/plants`, { headers: { [name]: it } })
      ).text()
    for (const path of ' worlds/ keys/ records/ snapshots/ journal?operation= journal/'.split(' '))
      outs[path + it] = await (
        await fetch(
          `${server.url}/__greenhouse/${/^(|worlds.)$/.test(path) ? '' : 'worlds/default/'}${path}${it}`,
        )
      ).text()
  }
  expect(leaksOf(outs)).toEqual([])
})

test('MSW prints no secret of a request to the console of a page', async () => {
  const bases = { plants: 'http://greenhouse.test', apps: 'http://greenhouse.test/v1' }
  const handlers = createHandlers(createGreenhouse({ fixtures: withKeys }), bases)
  const printed: unknown[] = []
  for (const name of ['log', 'groupCollapsed'] as const)
    vi.spyOn(console, name).mockImplementation(
      (...all: unknown[]) =>
        void printed.push(...all.filter((one) => !(one instanceof Object && 'resolver' in one))),
    )
  for (const [path, init] of all) {
    const request = new Request(`http://greenhouse.test${path}`, init)
    const response = await getResponse(handlers, request.clone())
    if (response) await handlers.at(-1)!.log({ request, response })
  }
  vi.restoreAllMocks()
  expect(printed.length).toBeGreaterThan(300)
  expect(leaksOf({ console: JSON.stringify(printed) }, Object.values(looksLike))).toEqual([])
})

test.each(['pretty', 'json'])(
  'run --log %s prints and writes no secret of a request',
  async (log) => {
    const sent = all.map(([path, { body, ...init } = {}]) => [
      path,
      { ...init, ...(body && { body: String(body) }) },
    ])
    const folder = writeFolder({
      summary: '',
      'sent.json': JSON.stringify(sent),
      'known/keys.json': JSON.stringify(withKeys),
    })
    const script = `(async () => {
    for (const [path, init] of require(${JSON.stringify(join(folder, 'sent.json'))}))
      await (await fetch(process.env.GREENHOUSE_URL + path, init)).text()
  })()`
    const env = {
      ...process.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    }
    const flags =
      `--log ${log} --fixtures ${join(folder, 'known')} --coverage --report-card --artifacts ${join(folder, 'out')}`.split(
        ' ',
      )
    const { stdout, stderr } = await run(['run', ...flags, '--', process.execPath, '-e', script], {
      env,
    })
    const files = readdirSync(join(folder, 'out'))
    for (const ending of ['.html', '.json', '.xml', '.md', '.yaml'])
      expect(files.join(' ')).toContain(ending)
    expect(stderr).toContain('::warning title=contract::')
    const outs = Object.fromEntries(
      files.map((name) => [name, name + readFileSync(join(folder, 'out', name), 'utf8')]),
    )
    outs['summary'] = readFileSync(join(folder, 'summary'), 'utf8')
    expect(leaksOf({ stdout, stderr, ...outs }, Object.values(looksLike))).toEqual([])
  },
)

panelTest('no view of the panel shows a secret of a request', async () => {
  let known: string[] = []
  const { page } = await openPanel('', {
    before: async (greenhouse) => void (known = await plant(greenhouse)),
  })
  const outs: Record<string, string> = {}
  for (const place of await listPlaces(page)) {
    // Records are shown as they are, here and where one is chosen.
    if (/^#\/data|trigger/.test(place)) continue
    await goTo(page, place)
    outs[place] = await page.content()
  }
  expect(leaksOf(outs, known)).toEqual([])
})
