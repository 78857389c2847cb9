import { expect } from 'vitest'
import { testControl, expectControlError, type Controlled, expectInvalid } from '../support/control.ts'

const path = '/worlds/default/journal'

testControl('shows what was asked and answered', async ({ control, call }) => {
  await call('/plants?limit=2')
  await call('/v1/apps/nope')
  await call('/plants', { headers: { authorization: 'Bearer real-looking-secret' } })
  const { body, text } = await control('GET', path)
  expect(body.data.map(({ id, operation, response }: any) => [id, operation, response.status])).toEqual([
    [1, 'plants.list', 200],
    [2, 'apps.get', 404],
    [3, 'plants.list', 401],
  ])
  expect(text).not.toContain('real-looking-secret')
  const statuses = async (query: string) =>
    (await control('GET', `${path}?${query}`)).body.data.map(({ id }: any) => id)
  expect(await statuses('operation=plants.list')).toEqual([1, 3])
  expect(await statuses('status=404')).toEqual([2])
  expect(await statuses('operation=plants.list&status=401')).toEqual([3])
  expect(await statuses('limit=1')).toEqual([3])
  expect(await statuses('operation=plants.create')).toEqual([])
  for (const query of [
    'operation=plants.lst',
    'status=ok',
    'status=-1',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'lmit=1',
    '__proto__=1',
  ])
    await expectInvalid(control('GET', `${path}?${query}`))
  expect((await control('DELETE', path)).status).toBe(204)
  expect((await control('GET', path)).body).toMatchObject({ data: [], size: 0, evicted: 0 })
})

testControl('an evicted entry is never denied', { journal: { entries: 2 } }, async ({ control, call }) => {
  await call('/v1/apps')
  await call('/plants')
  await call('/plants')
  expectControlError(await control('GET', `${path}?operation=apps.list`), 409, 'journal_evicted')
  expect((await control('GET', `${path}?operation=apps.create`)).body).toMatchObject({ data: [], size: 2, evicted: 1 })
  expect((await control('GET', '/worlds/default')).body.journal).toEqual({ size: 2, evicted: 1 })
})

testControl('forms and lost replies survive an HTTP Archive', async ({ control, call, greenhouse, world }) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  await call('/plants', { method: 'POST', headers: form, body: 'name=Fern+1&tag=%C3%BC' })
  world.use('network-error')
  await call('/plants').catch(() => undefined)
  const { body, text } = await control('GET', `${path}.har`)
  const [{ request }, { response }] = body.log.entries
  const names = Object.fromEntries(request.postData.params.map(({ name, value }: never) => [name, value]))
  expect([names, response.status]).toEqual([{ name: 'Fern 1', tag: 'ü' }, 0])
  delete request.postData.text
  response.status = -1
  for (const har of [text, `\ufeff${text}`, JSON.stringify(body)]) {
    const opened = await control('PUT', '/worlds/opened/case', { text: har, file: 'a.har' })
    expect(opened.body.differences).toMatchObject([{ request: 'GET /plants', field: 'status', expected: '0' }])
    expect(greenhouse.world('opened').journal.calls()[0]!.request.body).toBe('name=Fern+1&tag=%C3%BC')
  }
})

testControl('writes an HTTP Archive', async ({ control, call, server, world }) => {
  await call('/plants?limit=2&tag=a%20b&tag=c')
  await call('/v1/apps', { method: 'POST', body: '{"name":"Blüte"}' })
  const { body, text } = await control('GET', `${path}.har`)
  expect(Object.keys(body)).toEqual(['log'])
  expect(body.log).toMatchObject({
    version: '1.2',
    creator: { name: 'greenhouse-mock', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
  const pair = { name: expect.any(String), value: expect.any(String) }
  for (const entry of body.log.entries) {
    expect(entry).toEqual({
      ...('_violations' in entry && { _violations: expect.any(Array) }),
      startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      time: expect.any(Number),
      request: expect.objectContaining({
        method: expect.any(String),
        url: expect.stringMatching(/^http:/),
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([pair]),
        queryString: expect.any(Array),
        headersSize: -1,
        bodySize: expect.any(Number),
      }),
      response: expect.objectContaining({
        status: expect.any(Number),
        statusText: expect.any(String),
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([pair]),
        redirectURL: '',
        headersSize: -1,
        bodySize: expect.any(Number),
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
  expect(list.request.url).toBe(`${server.url}/plants?limit=2&tag=a%20b&tag=c`)
  expect(list.request.queryString).toEqual([
    { name: 'limit', value: '2' },
    { name: 'tag', value: 'a b' },
    { name: 'tag', value: 'c' },
  ])
  expect(list.request).not.toHaveProperty('postData')
  expect(list.request.bodySize).toBe(0)
  expect(create.request).toMatchObject({
    bodySize: 17,
    postData: { mimeType: 'application/json', text: '{"name":"Blüte"}' },
  })
  expect(text).not.toContain('Bearer key_pro')
  expect(world.journal.size).toBe(2)
})

/** Opens the stream of a world and gives its events one by one; `undefined` at its end. */
async function listen(url: string, world = 'default') {
  const response = await fetch(`${url}/__greenhouse/worlds/${world}/journal/stream`)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  return async (): Promise<any> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end >= 0) {
        const event = rest.slice(0, end)
        rest = rest.slice(end + 2)
        expect(event).toMatch(/^data: \{.*\}$/)
        return JSON.parse(event.slice('data: '.length))
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      rest += value
    }
  }
}

testControl('streams entries as they come until the world is reset', async ({ control, call, server }) => {
  const next = await listen(server.url)
  await call('/plants')
  await call('/~other/plants')
  await call('/v1/apps', { method: 'POST', body: '{"name":"two\\nlines"}' })
  expect(await next()).toMatchObject({ id: 1, operation: 'plants.list', world: 'default' })
  expect(await next()).toMatchObject({ id: 2, operation: 'apps.create', request: { body: '{"name":"two\\nlines"}' } })
  await control('POST', '/worlds/default/reset')
  expect(await next()).toBeUndefined()
})

testControl('ends a stream when its world is deleted', async ({ control, server, greenhouse }) => {
  greenhouse.world('short-lived')
  const next = await listen(server.url, 'short-lived')
  await control('DELETE', '/worlds/short-lived')
  expect(await next()).toBeUndefined()
})

testControl('a closing server ends its streams and cuts none off', async ({ server }) => {
  const next = await listen(server.url)
  const ended = next()
  await server.close()
  // A connection that was cut would reject it.
  expect(await ended).toBeUndefined()
})

testControl('opens no stream for who asks for its headers only', async ({ server }) => {
  const response = await fetch(`${server.url}/__greenhouse/worlds/default/journal/stream`, { method: 'HEAD' })
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
})

const journal = '/worlds/default/journal'

/** Five requests: 200, 404 at no operation, 401, 500 by a scenario, 200 shaped by one. */
async function fill({ call }: Controlled): Promise<void> {
  await call('/plants?limit=1')
  await call('/v1/appz')
  await call('/v1/apps', { headers: { authorization: 'Bearer key_fre' } })
  await call('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })
  await call('/plants?limit=2', { headers: { 'x-greenhouse-scenario': 'slow:ms=1' } })
}

testControl('entries are found by class of status, errors, scenario, words and age', async (controlled) => {
  await fill(controlled)
  const ids = async (query: string) => {
    const { status, body } = await controlled.control('GET', `${journal}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ id }: { id: number }) => id)
  }
  expect(await ids('status=2xx')).toEqual([1, 5])
  expect(await ids('status=4xx')).toEqual([2, 3])
  expect(await ids('status=401')).toEqual([3])
  expect(await ids('status=5xx')).toEqual([4])
  expect(await ids('errors=true')).toEqual([2, 3, 4])
  expect(await ids('errors=false')).toEqual([1, 5])
  expect(await ids('errors=true&status=4xx&limit=1')).toEqual([3])
  expect(await ids('scenario=slow')).toEqual([5])
  expect(await ids('scenario=*')).toEqual([4, 5])
  expect(await ids('scenario=expired-key')).toEqual([])
  expect(await ids('before=4')).toEqual([1, 2, 3])
  expect(await ids('before=4&limit=2')).toEqual([2, 3])
  expect(await ids('before=1')).toEqual([])
  expect(await ids('search=limit%3D2')).toEqual([5])
  expect(await ids('search=PLANTS%20500')).toEqual([4])
  expect(await ids('search=no+such+key')).toEqual([3])
  expect(await ids('search=plants&limit=2')).toEqual([4, 5])
  expect(await ids('search=plants&limit=0')).toEqual([])
  expect(await ids('search=plants&before=5&errors=false')).toEqual([1])
  expect(await ids('search=fern')).toEqual([])
  expect(await ids('search=%20')).toEqual([1, 2, 3, 4, 5])
})

testControl('a search is for what is shown, never for a secret', async ({ control, call }) => {
  await call('/plants?token=sk_live_abcdefghijklmnop')
  expect((await control('GET', `${journal}?search=sk_live_abc`)).body.data).toEqual([])
  expect((await control('GET', `${journal}?search=token%3Dfp_`)).body.data).toHaveLength(1)
})

testControl('a filter that can find nothing is refused', async (controlled) => {
  await fill(controlled)
  const { control } = controlled
  for (const [query, message] of [
    ['status=4x', /^status: expected a status, such as 404, or a class of statuses, such as 4xx$/],
    ['status=7xx', /such as 4xx/],
    ['errors=yes', /^errors: expected one of true, false/],
    ['scenario=slwo', /There is no scenario "slwo"; \* means any scenario\. Did you mean "slow"\?/],
    ['before=x', /^before: expected a whole number$/],
    ['serach=x', /Did you mean "search"\?/],
    [`search=${'x'.repeat(1_001)}`, /^search: expected at most 1,000 characters$/],
  ] as const)
    await expectInvalid(control('GET', `${journal}?${query}`), message)
})

testControl(
  'only a filter that evicted entries could meet is 409',
  { journal: { entries: 2 } },
  async ({ control, call }) => {
    await call('/v1/appz')
    for (let count = 0; count < 3; count++) await call('/plants?limit=1')
    for (const query of ['errors=true', 'status=4xx', 'search=appz', 'scenario=slow'])
      expectControlError(await control('GET', `${journal}?${query}`), 409, 'journal_evicted')
    for (const query of ['status=5xx', 'before=2', 'before=3&search=appz', 'search=appz&limit=0'])
      expect([query, (await control('GET', `${journal}?${query}`)).body]).toEqual([
        query,
        expect.objectContaining({ data: expect.any(Array) }),
      ])
  },
)

testControl(
  'an entry is read by its id; one that is gone is 404',
  { journal: { entries: 3 } },
  async ({ control, call }) => {
    for (let count = 0; count < 5; count++) await call(`/plants?limit=${count + 1}`)
    const { status, body } = await control('GET', `${journal}/4`)
    expect(status).toBe(200)
    expect(body).toEqual((await control('GET', journal)).body.data[1])
    expect(body).toMatchObject({ id: 4, request: { url: '/plants?limit=4' } })
    expectControlError(await control('GET', `${journal}/2`), 404, 'unknown_entry', /no longer has the entry 2/)
    expectControlError(await control('GET', `${journal}/6`), 404, 'unknown_entry', /has no entry "6"/)
    for (const until of [0, 6]) {
      const answer = await control('GET', `/worlds/default/case?until=${until}`)
      expectControlError(answer, 404, 'unknown_entry', new RegExp(`has no entry ${until}`))
    }
    for (const id of ['0', '-1', '1.5', 'x', '9'.repeat(20), '%00'])
      expectControlError(await control('GET', `${journal}/${id}`), 404, 'unknown_entry', /has no entry/)
    await control('DELETE', journal)
    expectControlError(await control('GET', `${journal}/4`), 404, 'unknown_entry', /or the journal was cleared/)
    await call('/plants')
    expect((await control('GET', `${journal}/6`)).body.id).toBe(6)
    expectControlError(await control('GET', '/worlds/nope/journal/1'), 404, 'unknown_world')
  },
)

testControl('entries are found by method, path, header, query parameter, body and key', async ({ control, call }) => {
  await call('/plants?limit=3&tag=a')
  await call('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Fern","tag":"fern"}' })
  await call('/v1/apps', { headers: { 'X-Name': 'first' } })
  await call('/v1/apps/app_1', { headers: { authorization: 'Bearer key_free' } })
  await call('/v1/apps', { method: 'POST', body: '{"name":"Shop","site":{"tags":["a","b"],"n":null}}' })
  await call('/plants/77?x', { method: 'DELETE', headers: { authorization: '' } })
  const ids = async (query: string) => {
    const { status, body } = await control('GET', `${journal}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ id }: { id: number }) => id)
  }
  expect(await ids('method=post')).toEqual([2, 5])
  expect(await ids('path=/v1/apps')).toEqual([3, 5])
  expect(await ids('path=/v1/apps/*')).toEqual([4])
  expect(await ids('path=/plants/77')).toEqual([6])
  expect(await ids('path=/v1/**&method=GET&limit=1')).toEqual([4])
  expect(await ids('header.x-NAME=first')).toEqual([3])
  expect(await ids('header.X-Name=*')).toEqual([3])
  expect(await ids('header.X-Name=null&method=GET')).toEqual([1, 4])
  expect(await ids('query.limit=3')).toEqual([1])
  expect(await ids('query.limit=*&query.tag=a')).toEqual([1])
  expect(await ids('query.limit=4')).toEqual([])
  expect(await ids('body.name=Fern')).toEqual([2])
  expect(await ids('body.id=9007199254740995')).toEqual([2])
  expect(await ids('body.id=9007199254740996')).toEqual([])
  expect(await ids('body.site.tags=b')).toEqual([5])
  expect(await ids('body.site.tags.0=a')).toEqual([5])
  expect(await ids('body.site.tags.0=b')).toEqual([])
  expect(await ids('body.site.n=null&method=POST')).toEqual([2, 5])
  expect(await ids('body.name=*&body.tag=null')).toEqual([5])
  expect(await ids('key=key_free')).toEqual([4])
  expect(await ids('account=acct_free')).toEqual([4])
  expect(await ids('account=acct_pro&path=/v1/**')).toEqual([3, 5])
  expect(await ids('path=/plants&operation=plants.create&status=2xx&search=plants')).toEqual([2])
})

testControl('a question is about what is shown, never about a secret', async ({ control, call }) => {
  const secret = 'sk_live_abcdefghijklmnop'
  await call('/plants', {
    method: 'POST',
    body: JSON.stringify({ name: 'x', token: secret }),
    headers: { 'x-api-key': secret },
  })
  for (const query of [`header.x-api-key=${secret}`, `body.token=${secret}`, `key=${secret}`])
    expect([query, (await control('GET', `${journal}?${query}`)).body.data]).toEqual([query, []])
  const [{ request }] = (await control('GET', journal)).body.data
  const shown = request.headers['x-api-key']
  expect(shown).toMatch(/^fp_/)
  expect((await control('GET', `${journal}?header.x-api-key=${shown}&body.token=${shown}`)).body.data).toHaveLength(1)
})

testControl('a question that can find nothing is refused', async ({ control }) => {
  for (const [query, message] of [
    [
      'headers.X-Name=a',
      /There is no query parameter "headers\.X-Name"; expected one of operation, .*, header\.NAME, query\.NAME and body\.FIELD\. Did you mean "header\.X-Name"\?/,
    ],
    ['account=acct_fre', /There is no account "acct_fre"\. Did you mean "acct_free"\?/],
    ['paht=/plants', /Did you mean "path"\?/],
    ['path=plants', /Did you mean "\/plants"\?/],
    ['path=/plants%3Flimit=3', /Put what follows the "\?" into "query"/],
    ['method=GTE', /there is no method "GTE"\. Did you mean "GET"\?/],
    ['header.=x', /^header\.: expected a name after the dot/],
    [`body.name=${'x'.repeat(1_001)}`, /expected at most 1000 characters/],
    [Array.from({ length: 51 }, (_, place) => `body.f${place}=1`).join('&'), /at most 50 fields/],
  ] as const)
    await expectInvalid(control('GET', `${journal}?${query}`), message)
})

testControl(
  'evicted entries and cut bodies are never denied',
  { journal: { entries: 2 } },
  async ({ control, call }) => {
    const post = (name: string) => call('/plants', { method: 'POST', body: JSON.stringify({ name, tag: 'x' }) })
    await post('x'.repeat(70_000))
    expectControlError(await control('GET', `${journal}?body.tag=x`), 409, 'journal_evicted', /request 1 was too large/)
    expect((await control('GET', `${journal}?body.tag=x&path=/v1/apps`)).body.data).toEqual([])
    for (let count = 0; count < 3; count++) await call('/v1/apps')
    expectControlError(await control('GET', `${journal}?path=/plants`), 409, 'journal_evicted')
    expect((await control('GET', `${journal}?path=/plants&operation=apps.get`)).body.data).toEqual([])
  },
)
