import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { fillWorld, requestOf } from '../panel/world.ts'
import { control } from '../support/control.ts'
import { writeFolder } from '../support/folder.ts'
import { createFetcher } from '../support/test-api.ts'

/** Serves a Greenhouse, and returns how its requests are saved as scenarios. */
async function serveFilled(fill: (greenhouse: Greenhouse) => unknown) {
  const greenhouse = createGreenhouse()
  await fill(greenhouse)
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const save = async (id: number) => {
    const { body } = await control(server, 'GET', `/worlds/default/journal/${id}/code?as=scenario`)
    return body as { readonly text: string; readonly notes: readonly string[] }
  }
  return { greenhouse, server, save, calls: greenhouse.world().journal.calls() }
}

function replay(text: string, request: Request): Promise<Response> {
  const greenhouse = createGreenhouse({
    scenarios: loadScenarios(writeFolder({ 'saved.yaml': text })),
  })
  greenhouse.world().use('saved' as never)
  return greenhouse.fetch(request)
}

test('a request saved as a scenario gives its reply again', async () => {
  const { save, calls } = await serveFilled(fillWorld)
  for (const [id, path, method] of [
    [2, '/v1/apps', 'GET'],
    [3, '/plants', 'POST'],
    [7, '/v1/apps', 'GET'],
  ] as const) {
    const { text, notes } = await save(id)
    const reply = await replay(text, requestOf(path, method))
    const recorded = calls[id - 1]!.response
    expect([reply.status, await reply.json(), notes]).toEqual([
      recorded.status,
      JSON.parse(recorded.body!),
      [],
    ])
    expect(reply.headers.get('retry-after')).toBe(recorded.headers['Retry-After'] ?? null)
  }
})

test('an empty body is none to a recording', async () => {
  const greenhouse = createGreenhouse()
  greenhouse
    .world()
    .use({ recorded: [{ replies: [{ request: 'POST /plants', status: 203 }] }] } as never)
  for (const body of [null, '', 'x']) {
    const { status } = await greenhouse.fetch(
      new Request('http://greenhouse.test/plants', { method: 'POST', body }),
    )
    expect([body, status]).toEqual([body, body === 'x' ? 401 : 203])
  }
})

test('a key that the service accepted has an account of its own', async () => {
  const greenhouse = createGreenhouse()
  const replies = [{ request: 'GET /v1/apps', key: 'acme', status: 200, text: '[]' }]
  greenhouse.world().use({ recorded: [{ replies }] } as never)
  for (let count = 0; count < 2; count++) {
    const reply = await greenhouse.fetch(
      new Request('http://greenhouse.test/v1/account', {
        headers: { authorization: 'Bearer acme' },
      }),
    )
    expect(await reply.json()).toMatchObject({
      id: 'acct_acme',
      name: 'A customer of the service',
      email: 'acct_acme@example.com',
      plan: 'pro_plus',
    })
  }
})

/** What a scenario file would take for an option. */
const body = { text: 'Dear ${name}, $${x} and ${', '${a}': ['${a-b}'], id: 9007199254740993n }

test.each([
  ['a stub', 'application/json', { respond: [{ on: 'plants.list', status: 200, body }] }],
  ['proxy-error-page', 'text/html'],
  ['truncated-json', 'application/json'],
  ['wrong-content-type', 'text/plain'],
  ['missing-content-type', null],
])(
  'a reply that %s changed is given again with its Content-Type',
  async (name, type, scenario: unknown = name) => {
    let first: Response
    const { save } = await serveFilled(async (greenhouse) => {
      greenhouse.world().use(scenario as never)
      first = await greenhouse.fetch(requestOf('/plants'))
    })
    const reply = await replay((await save(1)).text, requestOf('/plants'))
    expect([reply.status, reply.headers.get('content-type')]).toEqual([first!.status, type])
    expect(await reply.text()).toBe(await first!.text())
  },
)

test('a cut reply is replayed up to the cut, a missing reply never comes', async () => {
  const { greenhouse, server, save } = await serveFilled(() => {})
  const get = (scenario: string, init: RequestInit = {}) =>
    createFetcher(server.url)('/plants', {
      ...init,
      headers: { 'x-greenhouse-scenario': scenario },
    }).then((reply) => reply.text())
  await expect(get('truncated-body')).rejects.toThrow('terminated')
  const { journal } = greenhouse.world()
  const gone = new AbortController()
  const missing = get('slow:ms=60000', { signal: gone.signal })
  await expect.poll(() => journal.size).toBe(2)
  gone.abort()
  await expect(missing).rejects.toThrow('abort')
  await expect.poll(() => journal.calls().map(({ aborted }) => aborted)).toEqual([true, true])
  expect((await save(2)).text).toContain('kind: timeout')
  const folder = writeFolder({ 'saved.yaml': (await save(1)).text })
  const again = await serve(
    createGreenhouse({ scenarios: loadScenarios(folder), use: ['saved' as never] }),
  )
  onTestFinished(() => again.close())
  const reply = await fetch(`${again.url}/plants`)
  let got = ''
  const read = async () => {
    for await (const part of reply.body!) got += Buffer.from(part).toString()
  }
  await expect(read()).rejects.toThrow('terminated')
  expect([reply.status, reply.headers.get('content-type'), got.length]).toEqual([
    200,
    'application/json',
    20,
  ])
})

test('a scenario of a reply that the journal cut says that it is not whole', async () => {
  const { save } = await serveFilled(async (greenhouse) => {
    for (let id = 1; id <= 400; id++)
      greenhouse
        .world()
        .records.plants.create({ id: 50_000 + id, name: 'Fern '.repeat(40), account: 'acct_pro' })
    await greenhouse.fetch(requestOf('/plants?limit=400'))
  })
  expect((await save(1)).notes).toEqual(['The journal has only a part of the body: complete it.'])
})
