import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { Greenhouse } from 'greenhouse-mock'
import { controlActions } from '../../src/control/actions/index.ts'
import { run } from '../support/cli.ts'
import { readEvents } from '../support/events.ts'
import { control, testControl } from '../support/control.ts'
import { inJson, openDocument } from '../support/control-document.ts'

const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

const hook = {
  id: 'wh_1',
  account: 'acct_pro',
  app: null,
  url: 'http://127.0.0.1:1/',
  events: ['webhook.test'],
  enabled: true,
  secret: 'whsec_c2VjcmV0LW9mLWEtdGVzdA==',
  created_at: '1d ago',
}

const down = '{"title": "Down", "description": "D", "covers": "C", "respond": [{"status": 503}]}'

/** Each call, with its body. What `as` names is the id of what was answered, for later paths. */
const tour: readonly (readonly [call: string, body?: unknown, as?: string])[] = [
  ['GET /health'],
  ['GET /start'],
  ['GET /problems'],
  ['GET /assumptions'],
  ['GET /operations'],
  ['GET /openapi.json?area=plants'],
  ['GET /scenarios?search=429'],
  ['POST /scenarios/check', { name: 'down', text: down }],
  ['PUT /scenarios/down', { text: down, replace: true }],
  ['GET /collections'],
  [
    'PUT /worlds/w',
    {
      seed: 7,
      now: '2026-03-01T12:00:00Z',
      frozen: true,
      scenarios: ['slow:ms=1'],
      assumptions: {},
    },
  ],
  ['GET /worlds'],
  ['GET /worlds/w'],
  ['GET /worlds/w/openapi.json?area=control'],
  ['GET /worlds/w/scenarios'],
  [
    'PUT /worlds/w/scenarios',
    { active: ['expired-key', { respond: [{ on: 'apps.get', status: 503 }] }] },
  ],
  ['POST /worlds/w/scenarios', { active: [{ name: 'slow', ms: 1 }], place: 0 }],
  ['DELETE /worlds/w/scenarios/slow'],
  ['DELETE /worlds/w/scenarios'],
  ['GET /worlds/w/clock'],
  ['PATCH /worlds/w/clock', { advance: '1s', frozen: true }],
  ['GET /worlds/w/due?limit=200'],
  ['POST /worlds/w/due/next'],
  ['GET /worlds/w/assumptions'],
  ['PATCH /worlds/w/assumptions', { 'plants.delete.unknown': '204' }],
  ['GET /worlds/w/journal?errors=true&limit=3&method=GET&header.accept=*'],
  ['GET /worlds/w/journal'],
  ['GET /worlds/w/journal/1'],
  ['GET /worlds/w/journal/1/code?as=vitest'],
  ['POST /worlds/w/journal/1/replay'],
  ['GET /worlds/w/journal.har'],
  ['GET /worlds/w/evidence'],
  ['GET /worlds/w/case?until=2'],
  [
    'POST /worlds/w/keys',
    { account: 'acct_pro', scopes: ['plants:read'], expires_at: '2027-01-01T00:00:00Z' },
    'key',
  ],
  ['PATCH /worlds/w/records/keys/{key}', { revoked: true, expires_at: null }],
  ['DELETE /worlds/w/records/keys/{key}'],
  ['GET /worlds/w/quotas'],
  ['PATCH /worlds/w/records/accounts/acct_pro', { plan: 'lite' }],
  ['POST /worlds/w/accounts/acct_pro/refill', { window: 'day' }],
  ['PUT /worlds/w/snapshots/before'],
  ['GET /worlds/w/snapshots'],
  ['GET /worlds/w/snapshots/before'],
  ['GET /worlds/w/records'],
  ['GET /worlds/w/records/plants?sort=-name&limit=1&where.account=acct_pro'],
  ['POST /worlds/w/undo', {}],
  ['PUT /worlds/w/records/plants', { data: [{ id: 7, name: 'Fern', account: 'acct_pro' }] }],
  ['POST /worlds/w/records/plants', { id: 8, name: 'Ivy', account: 'acct_pro' }],
  ['GET /worlds/w/records/plants/8'],
  ['PATCH /worlds/w/records/plants/8', { tag: 'green' }],
  ['DELETE /worlds/w/records/plants/8?cascade=true'],
  ['GET /worlds/w/export'],
  ['GET /worlds/w/export/plants'],
  ['POST /worlds/w/records/webhooks', hook],
  ['POST /worlds/w/events', { type: 'webhook.test', account: 'acct_pro' }],
  ['GET /worlds/w/deliveries?webhook=wh_1&limit=1', undefined, 'delivery'],
  ['GET /worlds/w/deliveries/{delivery}'],
  ['POST /worlds/w/deliveries/{delivery}/redeliver'],
  ['GET /worlds/w/webhooks/wh_1/grade'],
  ['POST /worlds/w/webhooks/wh_1/grade'],
  ['POST /worlds/w/snapshots/before/restore'],
  ['DELETE /worlds/w/snapshots/before'],
  [
    'PUT /worlds/w/case',
    { text: '{"case": 1, "steps": [{"request": "GET /plants", "reply": {"status": 500}}]}' },
  ],
  ['DELETE /worlds/w/journal'],
  ['POST /worlds/w/reset'],
  ['DELETE /worlds/w'],
]

const streams = ['GET /events', 'GET /worlds/{world}/journal/stream']

/** Sends requests that give the journal something of everything that an entry can have. */
async function fillJournal(greenhouse: Greenhouse): Promise<void> {
  const send = (path: string, init?: RequestInit) =>
    greenhouse.fetch(new Request(`http://greenhouse.test/~w${path}`, init))
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  for (const scenario of ['slow:ms=1', 'server-error'] as const) greenhouse.world('w').use(scenario)
  await (await send('/plants?limt=1', { headers })).text()
  greenhouse.world('w').clear()
  await (await send('/plantz', { headers })).text()
  await (
    await send('/plants', {
      method: 'POST',
      headers,
      body: `{"id": "x", "name": "${'a'.repeat(70_000)}"}`,
    })
  ).text()
}

testControl(
  'every answer of a tour through all actions has the schema of the document',
  async (controlled) => {
    const { server, greenhouse } = controlled
    const { routes, find, problems } = await openDocument(controlled.server)
    const names: Record<string, string> = {}
    const wrong: unknown[] = []
    const save = (name: string, text: string) =>
      void greenhouse.reload({ scenarios: { [name]: JSON.parse(text) } })
    greenhouse.setFilesState({ scenarios: { path: 'scenarios', find: () => undefined, save } })
    for (const [call, body, as] of tour) {
      const path = call.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!)
      const { at, operation } = find(path)
      if (operation.operationId === 'journal.list') await fillJournal(greenhouse)
      if (body !== undefined)
        wrong.push(...problems(`${at}/requestBody/${inJson}`, body).map((text) => [call, text]))
      const [method, target] = path.split(' ') as [string, string]
      const reply = await control(server, method, target, body)
      expect(
        [call, Object.keys(operation.responses).find((status) => status[0] === '2')],
        reply.text,
      ).toEqual([call, String(reply.status)])
      if (reply.status === 204) expect([call, reply.text]).toEqual([call, ''])
      else
        wrong.push(
          ...problems(`${at}/responses/${reply.status}/${inJson}`, reply.body).map((text) => [
            call,
            text.slice(0, 300),
          ]),
        )
      if (as) names[as] = reply.body.id ?? reply.body.data[0].id
    }
    expect(wrong).toEqual([])
    const toured = tour.map(([call]) => routeOf(find(call)))
    expect([...new Set([...toured, ...streams])].sort()).toEqual(routes.map(routeOf).sort())
  },
)

testControl(
  'an error has the schema of the document, with a status that its action lists',
  async (controlled) => {
    const { find, problems } = await openDocument(controlled.server)
    for (const [call, body, status] of [
      ['GET /worlds/none', undefined, 404],
      ['GET /worlds/default/journal?limt=1', undefined, 400],
      ['PUT /worlds/default/scenarios', { active: ['slow:ms=x'] }, 400],
      ['POST /worlds/default/records/plants', { id: 1, name: 'Fern', account: 'acct_none' }, 400],
      ['DELETE /worlds/default/records/accounts/acct_pro', undefined, 409],
      ['PUT /scenarios/down', { text: down }, 409],
      ['PUT /worlds/default/scenarios', `{"active": ["${'x'.repeat(2 ** 20)}"]}`, 413],
    ] as const) {
      const [method, path] = call.split(' ') as [string, string]
      const reply = await controlled.control(method, path, body)
      const { $ref } = find(call).operation.responses[reply.status]
      expect([call, reply.status, problems(`document${$ref}/${inJson}`, reply.body)]).toEqual([
        call,
        status,
        [],
      ])
    }
  },
)

testControl('every event of the streams has the schema of the document', async (controlled) => {
  const { server, greenhouse, control } = controlled
  const { find, problems } = await openDocument(controlled.server)
  await control('PUT', '/worlds/w', {})
  const readers = [
    await readEvents(server, '/events'),
    await readEvents(server, '/worlds/w/journal/stream'),
  ]
  await fillJournal(greenhouse)
  for (const [call, body] of [
    ['PATCH /worlds/w/clock', { advance: '1s' }],
    ['PATCH /worlds/w/assumptions', { 'plants.delete.unknown': '204' }],
    ['PUT /worlds/w/snapshots/one', undefined],
    ['POST /worlds/w/keys', { account: 'acct_pro' }],
    ['POST /worlds/w/records/webhooks', hook],
    ['POST /worlds/w/events', { type: 'webhook.test', account: 'acct_pro' }],
    ['DELETE /worlds/w/journal', undefined],
    ['DELETE /worlds/w', undefined],
  ] as const)
    await control(...(call.split(' ') as [string, string]), body)
  await greenhouse.fetch(
    new Request('http://any/plants', { headers: { 'x-greenhouse-scenario': 'nope' } }),
  )
  await readers[0]!.until(({ type }) => type === 'unrecorded')
  for (const [at, path] of ['GET /events', 'GET /worlds/w/journal/stream'].entries()) {
    const { at: place, operation } = find(path)
    const { schema } = operation.responses[200].content['text/event-stream']
    const types = schema['x-greenhouse-events'].map(
      ({ event }: { event: string }) => event,
    ) as string[]
    const { events } = readers[at]!
    const below = `${place}/responses/200/content/text~1event-stream/schema/x-greenhouse-events`
    const wrong = events.flatMap(({ type, data }) =>
      problems(`${below}/${types.indexOf(type)}/data`, data).map((text) => [
        type,
        text.slice(0, 300),
      ]),
    )
    expect(wrong).toEqual([])
    // No file is watched here.
    const seen = new Set(events.map(({ type }) => type))
    expect(types.filter((type) => !seen.has(type))).toEqual(at === 0 ? ['reload', 'problems'] : [])
  }
})

test('methods and paths are unique, and each title and description is a plain sentence', () => {
  expect(new Set(controlActions.map(routeOf)).size).toBe(controlActions.length)
  expect(new Set(controlActions.map(({ id }) => id)).size).toBe(controlActions.length)
  expect(new Set(controlActions.map(({ title }) => title)).size).toBe(controlActions.length)
  for (const { id, title, description } of controlActions) {
    expect(id).toMatch(/^[a-z]+\.[a-z-]+$/)
    expect(title).toMatch(/^[A-Z][a-z]+,? [^.]{2,45}[^.]$/)
    expect(description).toMatch(/^[A-Z].*\.$/)
    for (const sentence of description.split(/(?<=\.) /))
      expect(sentence.split(' ').length, sentence).toBeLessThan(33)
  }
})

testControl(
  'the document describes every parameter of a path, and marks what reads and what destroys',
  async (controlled) => {
    const { routes } = await openDocument(controlled.server)
    const inPaths = routes.flatMap(({ operation: { parameters = [] } }) =>
      parameters.filter(({ in: at }: any) => at === 'path'),
    )
    expect(inPaths.filter(({ description }: any) => description === undefined)).toEqual([])
    expect(inPaths).toHaveLength(routes.flatMap(({ path }) => path.split('{').slice(1)).length)
    const marked = (name: string) =>
      routes
        .filter(({ operation }) => operation[name])
        .map(({ operation }) => operation.operationId)
    expect(marked('x-read-only')).toEqual(
      controlActions.filter(({ method }) => method === 'GET').map(({ id }) => id),
    )
    expect(marked('x-destructive').sort()).toEqual(
      controlActions
        .filter(({ destructive }) => destructive)
        .map(({ id }) => id)
        .sort(),
    )
    expect(marked('x-destructive')).toContain('worlds.delete')
  },
)

testControl('the command prints the document of the control API, too', async (controlled) => {
  const { routes } = await openDocument(controlled.server)
  const printed = await run(['openapi', '--area', 'control', '--server', 'http://greenhouse.test'])
  const { paths, servers } = JSON.parse(printed.stdout)
  expect(servers).toEqual([
    { url: 'http://greenhouse.test/__greenhouse', description: 'A local Greenhouse' },
  ])
  expect(Object.keys(paths)).toEqual([...new Set(routes.map(({ path }) => path))])
  const yaml = await run([
    'openapi',
    '--area',
    'control',
    '--format',
    'yaml',
    '--server',
    'http://greenhouse.test',
  ])
  expect(load(yaml.stdout)).toEqual(JSON.parse(printed.stdout))
  expect(await run(['openapi', '--area', 'contrl'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('control'),
  })
})
