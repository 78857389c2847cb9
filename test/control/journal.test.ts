import { expect } from 'vitest'
import {
  testControl,
  expectControlError,
  expectInvalid,
  type Controlled,
} from '../support/control.ts'
import { readEvents } from '../support/events.ts'

const path = '/worlds/default/journal'
const few = { journal: { entries: 2 } }

/** Returns a function that gives the ids of the entries that a query finds. */
const finder =
  ({ control }: Pick<Controlled, 'control'>) =>
  async (query: string) => {
    const { status, body } = await control('GET', `${path}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ id }: { id: number }) => id)
  }

testControl('the journal shows what was asked and answered', async ({ control, call }) => {
  await call('/plants?limit=2')
  await call('/v1/apps/nope')
  await call('/plants', { headers: { authorization: 'Bearer real-looking-secret' } })
  const { body, text } = await control('GET', path)
  expect(
    body.data.map(({ id, operation, response }: any) => [id, operation, response.status]),
  ).toEqual([
    [1, 'plants.list', 200],
    [2, 'apps.get', 404],
    [3, 'plants.list', 401],
  ])
  expect(text).not.toContain('real-looking-secret')
  const find = finder({ control })
  expect(await find('operation=plants.list')).toEqual([1, 3])
  expect(await find('operation=plants.list&status=401')).toEqual([3])
  expect(await find('limit=1')).toEqual([3])
  expect(await find('operation=plants.create')).toEqual([])
  expect((await control('DELETE', path)).status).toBe(204)
  expect((await control('GET', path)).body).toMatchObject({ data: [], size: 0, evicted: 0 })
})

testControl(
  'forms and lost replies survive an HTTP Archive',
  async ({ control, call, greenhouse, world }) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    await call('/plants', { method: 'POST', headers: form, body: 'name=Fern+1&tag=%C3%BC' })
    world.use('network-error')
    await call('/plants').catch(() => undefined)
    const { body, text } = await control('GET', `${path}.har`)
    const [{ request }, { response }] = body.log.entries
    const names = Object.fromEntries(
      request.postData.params.map(({ name, value }: never) => [name, value]),
    )
    expect([names, response.status]).toEqual([{ name: 'Fern 1', tag: 'ü' }, 0])
    delete request.postData.text
    response.status = -1
    for (const har of [text, `\ufeff${text}`, JSON.stringify(body)]) {
      const opened = await control('PUT', '/worlds/opened/case', { text: har, file: 'a.har' })
      expect(opened.body).toMatchObject({ requests: 2, left_out: 0, differences: [] })
      expect(greenhouse.world('opened').journal.calls()[0]!.request.body).toBe(
        'name=Fern+1&tag=%C3%BC',
      )
    }
  },
)

testControl(
  'each entry of an HTTP Archive is judged alone',
  async ({ control, call, greenhouse }) => {
    await call('/plants?limit=1')
    const { body } = await control('GET', `${path}.har`)
    const [{ response, ...first }] = body.log.entries
    const sound = { ...first, response: { ...response, content: {} } }
    const other = (changes: object, part: 'request' | 'response' = 'request') => ({
      ...sound,
      [part]: { ...sound[part], ...changes },
    })
    const entries = [
      null,
      { ...sound, startedDateTime: 'yesterday' },
      other({ url: 'https://elsewhere.test/' }),
      other({ url: 'https://elsewhere.test/a' }),
      other({ headers: [{ name: 'X-Odd', value: 'a\u0000b' }] }),
      other({ status: 999 }, 'response'),
      other({ status: 0 }, 'response'),
      { ...sound, response: undefined },
      other({
        headers: [
          { name: 'X-Two', value: 'a' },
          { name: 'X-Two', value: 'b' },
        ],
      }),
      sound,
    ]
    const text = JSON.stringify({ log: { ...body.log, entries } })
    const opened = await control('PUT', '/worlds/opened/case', { text, file: 'a.har' })
    expect(opened.body).toMatchObject({ requests: 4, left_out: 6, differences: [] })
    const reasons = opened.body.left_out_because.map(
      ({ reason, requests }: never) => `${requests} ${reason}`,
    )
    expect(reasons).toEqual([
      expect.stringMatching(/^1 that cannot be repeated \(entry /),
      expect.stringMatching(/^1 that cannot be repeated \(startedDateTime /),
      '2 for other services',
      expect.stringMatching(/^1 that cannot be repeated \(headers\./),
      expect.stringMatching(/^1 that cannot be repeated \(reply\.status /),
    ])
    expect(greenhouse.world('opened').journal.calls()[2]!.request.headers['x-two']).toBe('a, b')
    const none = await control('PUT', '/worlds/none/case', {
      text: JSON.stringify({ log: { entries: entries.slice(0, 4) } }),
    })
    expect(none.body.error.message).toMatch(
      /^None of the 4 requests in the archive [^]*2 for other services/,
    )
  },
)

testControl(
  'a repeated header has each value in the journal and in its HTTP Archive',
  async ({ control, call, world }) => {
    const cookies = ['a=1; Expires=Sun, 01 Mar 2026 12:00:00 GMT', 'b=2']
    const links = ['<a>', '<b, c>']
    world.use({
      respond: [
        {
          on: 'plants.list',
          status: 200,
          headers: { 'Set-Cookie': cookies, Link: links, 'X-One': ['1'] },
        },
      ],
    })
    world.use('duplicated-headers', { header: 'X-One' })
    const { headers } = await call('/plants')
    expect([headers.getSetCookie(), headers.get('x-one')]).toEqual([cookies, '1, 1'])
    const { response } = world.journal.calls()[0]!
    // The values of cookies are secrets.
    const hidden = [
      expect.stringMatching(/^a=fp_\w{12}; Expires=Sun, 01 Mar 2026 12:00:00 GMT$/),
      expect.stringMatching(/^b=fp_\w{12}$/),
    ]
    expect(response.repeated).toEqual({ 'Set-Cookie': hidden, Link: links, 'X-One': ['1', '1'] })
    expect(response.headers).toMatchObject({ Link: links.join(', '), 'X-One': '1, 1' })
    expect((await control('GET', path)).body.data[0].response.repeated).toEqual(response.repeated)
    const { body } = await control('GET', `${path}.har`)
    const sent = body.log.entries[0].response.headers.filter(({ name }: { name: string }) =>
      /^(link|x-one)$/i.test(name),
    )
    expect(sent.map(({ value }: { value: string }) => value)).toEqual([...links, '1', '1'])
  },
)

testControl('writes an HTTP Archive', async ({ control, call, server, world }) => {
  const typed = { 'content-type': 'application/json' }
  world.use({
    title: 'In lower case',
    respond: [{ on: 'plants.list', status: 200, headers: typed, body: [] }],
  })
  await call('/plants?limit=2&tag=a%20b&tag=c')
  await call('/v1/apps', { method: 'POST', body: '{"name":"Blüte"}' })
  const { body, text } = await control('GET', `${path}.har`)
  expect(Object.keys(body)).toEqual(['log'])
  expect(body.log).toMatchObject({
    version: '1.2',
    creator: { name: 'greenhouse-mock', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
  const pair = { name: expect.any(String), value: expect.any(String) }
  const [headers, bodySize] = [expect.arrayContaining([pair]), expect.any(Number)]
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1, bodySize }
  for (const entry of body.log.entries) {
    expect(entry).toEqual({
      ...('_violations' in entry && { _violations: expect.any(Array) }),
      ...('_reason' in entry && { _reason: expect.any(String) }),
      startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      time: expect.any(Number),
      request: expect.objectContaining({ ...common, queryString: expect.any(Array) }),
      response: expect.objectContaining({
        ...common,
        statusText: expect.any(String),
        redirectURL: '',
      }),
      cache: {},
      timings: { send: 0, wait: entry.time, receive: 0 },
      _greenhouse: expect.objectContaining({ world: 'default', operation: expect.any(String) }),
    })
    expect(entry.response.content).toEqual({
      size: Buffer.byteLength(entry.response.content.text),
      mimeType: 'application/json',
      text: expect.any(String),
    })
  }
  const [list, create] = body.log.entries
  expect(list.request).toMatchObject({
    method: 'GET',
    url: `${server.url}/plants?limit=2&tag=a%20b&tag=c`,
  })
  expect([list.response.status, create.response.status]).toEqual([200, 201])
  expect(list.request.queryString).toEqual([
    { name: 'limit', value: '2' },
    { name: 'tag', value: 'a b' },
    { name: 'tag', value: 'c' },
  ])
  expect(list.request).not.toHaveProperty('postData')
  expect(list.request.bodySize).toBe(0)
  expect(create.request).toMatchObject({
    method: 'POST',
    url: `${server.url}/v1/apps`,
    bodySize: 17,
    postData: { mimeType: 'application/json', text: '{"name":"Blüte"}' },
  })
  expect(text).not.toContain('Bearer key_pro')
  expect(world.journal.size).toBe(2)
})

testControl(
  'a stream has the entries as they come, until the world is reset',
  async ({ control, call, server }) => {
    const stream = await readEvents(server, `${path}/stream`)
    await call('/plants')
    await call('/~other/plants')
    await call('/v1/apps', { method: 'POST', body: '{"name":"two\\nlines"}' })
    await stream.until(({ data }) => data.id === 2)
    await control('POST', '/worlds/default/reset')
    await stream.ended
    expect(stream.events).toMatchObject([
      { type: 'message', data: { id: 1, operation: 'plants.list', world: 'default' } },
      { data: { id: 2, operation: 'apps.create', request: { body: '{"name":"two\\nlines"}' } } },
    ])
  },
)

testControl(
  'a stream ends with its world, and with the server, and is not cut off',
  async ({ control, server }) => {
    const open = async (world: string) => {
      const response = await fetch(`${server.url}/__greenhouse/worlds/${world}/journal/stream`)
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      return response
    }
    await control('PUT', '/worlds/short-lived')
    const [first, second] = [await open('short-lived'), await open('default')]
    await control('DELETE', '/worlds/short-lived')
    expect(await first.text()).toBe('')
    const ended = second.text()
    await server.close()
    // A connection that was cut would reject it.
    expect(await ended).toBe('')
  },
)

const found: Record<string, number[]> = {
  'status=2xx': [1, 5],
  'status=4xx': [2, 3],
  'status=401': [3],
  'status=5xx': [4],
  'errors=true': [2, 3, 4],
  'errors=false': [1, 5],
  'errors=true&status=4xx&limit=1': [3],
  'scenario=slow': [5],
  'scenario=*': [4, 5],
  'scenario=null': [1, 2, 3],
  'operation=null': [2],
  'scenario=expired-key': [],
  'before=4': [1, 2, 3],
  'before=4&limit=2': [2, 3],
  'before=1': [],
  'search=limit%3D2': [5],
  'search=PLANTS%20500': [4],
  'search=no+such+key': [3],
  'search=plants&limit=2': [4, 5],
  'search=plants&limit=0': [],
  'search=plants&before=5&errors=false': [1],
  'search=fern': [],
  'search=%20': [1, 2, 3, 4, 5],
}

testControl(
  'entries are found by class of status, errors, scenario, words and age',
  async ({ control, call }) => {
    await call('/plants?limit=1')
    await call('/v1/appz')
    await call('/v1/apps', { headers: { authorization: 'Bearer key_fre' } })
    await call('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })
    await call('/plants?limit=2', { headers: { 'x-greenhouse-scenario': 'slow:ms=1' } })
    const find = finder({ control })
    for (const [query, ids] of Object.entries(found))
      expect([query, await find(query)]).toEqual([query, ids])
  },
)

/** What the parameters mean; test/journal/query.test.ts has what each of them finds. */
const meant: Record<string, number[]> = {
  'method=post': [2, 5],
  'path=/v1/apps/*': [4],
  'path=/plants/77': [6],
  'path=/v1/**&method=GET&limit=1': [4],
  'header.x-NAME=first': [3],
  'header.X-Name=*': [3],
  'header.X-Name=null&method=GET': [1, 4],
  'query.limit=*&query.tag=a': [1],
  'query.limit=4': [],
  'body.id=9007199254740995': [2],
  'body.id=9007199254740996': [],
  'body.site.tags=b': [5],
  'body.site.tags.0=b': [],
  'body.site.n=null&method=POST': [2, 5],
  'body.name=*&body.tag=null': [5],
  'key=key_free': [4],
  'key=*&method=GET': [1, 3, 4],
  'key=null': [6],
  'account=null': [6],
  'account=*&path=/plants': [1, 2],
  'operation=null': [],
  'operation=*&method=DELETE': [6],
  'account=acct_pro&path=/v1/**': [3, 5],
  'path=/plants&operation=plants.create&status=2xx&search=plants': [2],
}

testControl(
  'entries are found by method, path, header, query parameter, body and key',
  async ({ control, call }) => {
    await call('/plants?limit=3&tag=a')
    await call('/plants', {
      method: 'POST',
      body: '{"id":9007199254740995,"name":"Fern","tag":"fern"}',
    })
    await call('/v1/apps', { headers: { 'X-Name': 'first' } })
    await call('/v1/apps/app_1', { headers: { authorization: 'Bearer key_free' } })
    await call('/v1/apps', {
      method: 'POST',
      body: '{"name":"Shop","site":{"tags":["a","b"],"n":null}}',
    })
    await call('/plants/77?x', { method: 'DELETE', headers: { authorization: '' } })
    const find = finder({ control })
    for (const [query, ids] of Object.entries(meant))
      expect([query, await find(query)]).toEqual([query, ids])
  },
)

testControl(
  'a question is about what is shown, never about a secret',
  async ({ control, call }) => {
    const secret = 'sk_live_abcdefghijklmnop'
    await call(`/plants?token=${secret}`, {
      method: 'POST',
      body: JSON.stringify({ name: 'x', token: secret }),
      headers: { 'x-api-key': secret },
    })
    for (const query of [
      `header.x-api-key=${secret}`,
      `body.token=${secret}`,
      `key=${secret}`,
      'search=sk_live_abc',
    ])
      expect([query, (await control('GET', `${path}?${query}`)).body.data]).toEqual([query, []])
    const [{ request }] = (await control('GET', path)).body.data
    const shown = request.headers['x-api-key']
    expect(shown).toMatch(/^fp_/)
    expect(
      (await control('GET', `${path}?header.x-api-key=${shown}&body.token=${shown}`)).body.data,
    ).toHaveLength(1)
    expect((await control('GET', `${path}?search=token%3D${shown}`)).body.data).toHaveLength(1)
  },
)

const wrong: [query: string, message?: RegExp][] = [
  ...[
    'operation=plants.lst',
    'status=ok',
    'status=-1',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    '__proto__=1',
  ].map((query): [string] => [query]),
  ['status=4x', /^status: expected a status: a class such as "4xx", .*, received "4x"$/],
  ['status=7xx', /such as "4xx"/],
  ['status=99', /received 99$/],
  ['errors=yes', /^errors: expected one of "true", "false"/],
  ['before=x', /^before: expected a whole number$/],
  ['serach=x', /Did you mean "search"\?/],
  [
    'headers.X-Name=a',
    /^headers\.X-Name: there is no such field; .*, body\.X-Name\. Did you mean "header\.X-Name"\?/,
  ],
  ['account=acct_fre', /There is no account "acct_fre"\. Did you mean "acct_free"\?/],
  ['paht=/plants', /Did you mean "path"\?/],
  ['path=plants', /Did you mean "\/plants"\?/],
  ['path=/plants%3Flimit=3', /Put what follows the "\?" into "query"/],
  ['method=GTE', /there is no method "GTE"\. Did you mean "GET"\?/],
  ['header.=x', /^header\.: there is no such field; .*, header\.NAME/],
  [`body.name=${'x'.repeat(1_001)}`, /^body\.name: expected at most 1,000 characters$/],
  [Array.from({ length: 51 }, (_, place) => `body.f${place}=1`).join('&'), /at most 50 fields/],
]

testControl('a filter that can find nothing is rejected', async ({ control }) => {
  for (const [query, message] of wrong)
    await expectInvalid(control('GET', `${path}?${query}`), message)
  expectControlError(
    await control('GET', `${path}?scenario=slwo`),
    400,
    'unknown_scenario',
    /^Failed to find requests of the scenario "slwo": there is no such .* Did you mean "slow"\?$/,
  )
})

testControl(
  'only a filter that evicted entries could meet is 409',
  few,
  async ({ control, call }) => {
    const find = finder({ control })
    await call('/v1/appz')
    for (let count = 0; count < 3; count++) await call('/plants?limit=1')
    for (const query of [
      'errors=true',
      'status=4xx',
      'search=appz',
      'scenario=slow',
      'path=/v1/appz',
    ])
      expectControlError(await control('GET', `${path}?${query}`), 409, 'journal_evicted')
    for (const query of ['status=5xx', 'before=2', 'before=3&search=appz', 'search=appz&limit=0'])
      expect(await find(query)).toEqual([])
    expect(await find('path=/v1/apps&operation=apps.get')).toEqual([])
    expect((await control('GET', '/worlds/default')).body.journal).toEqual({ size: 2, evicted: 2 })
  },
)

testControl('of a cut body what it may have held is not denied', async ({ control, call }) => {
  await call('/plants', {
    method: 'POST',
    body: JSON.stringify({ name: 'x'.repeat(70_000), tag: 'x' }),
  })
  expectControlError(
    await control('GET', `${path}?body.tag=x`),
    409,
    'journal_evicted',
    /request 1 was too large/,
  )
  expect(await finder({ control })('body.tag=x&path=/v1/apps')).toEqual([])
})

testControl(
  'an entry is read by its id; one that is gone is 404',
  few,
  async ({ control, call }) => {
    const isGone = async (id: string | number, message: RegExp) =>
      expectControlError(await control('GET', `${path}/${id}`), 404, 'unknown_entry', message)
    for (let count = 0; count < 5; count++) await call(`/plants?limit=${count + 1}`)
    const { status, body } = await control('GET', `${path}/4`)
    expect(status).toBe(200)
    expect(body).toEqual((await control('GET', path)).body.data[0])
    expect(body).toMatchObject({ id: 4, request: { url: '/plants?limit=4' } })
    await isGone(2, /no longer has the entry 2/)
    await isGone(6, /has no entry "6"/)
    for (const until of [0, 6]) {
      const answer = await control('GET', `/worlds/default/case?until=${until}`)
      expectControlError(answer, 404, 'unknown_entry', new RegExp(`has no entry ${until}`))
    }
    for (const id of ['0', '-1', '1.5', 'x', '9'.repeat(20), '%00'])
      await isGone(id, /has no entry/)
    await control('DELETE', path)
    await isGone(4, /or the journal was cleared/)
    await call('/plants')
    expect((await control('GET', `${path}/6`)).body.id).toBe(6)
    expectControlError(await control('GET', '/worlds/nope/journal/1'), 404, 'unknown_world')
  },
)
