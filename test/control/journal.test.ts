import { expect } from 'vitest'
import { testControl, expectControlError } from '../support/control.ts'

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
    expectControlError(await control('GET', `${path}?${query}`), 400, 'invalid_request')
  expect((await control('DELETE', path)).status).toBe(204)
  expect((await control('GET', path)).body).toMatchObject({ data: [], size: 0, evicted: 0 })
})

testControl(
  'does not say "never" of what may have made room',
  { journal: { entries: 2 } },
  async ({ control, call }) => {
    await call('/v1/apps')
    await call('/plants')
    await call('/plants')
    expectControlError(await control('GET', `${path}?operation=apps.list`), 409, 'journal_evicted')
    expect((await control('GET', `${path}?operation=apps.create`)).body).toMatchObject({
      data: [],
      size: 2,
      evicted: 1,
    })
    expect((await control('GET', '/worlds/default')).body.journal).toEqual({ size: 2, evicted: 1 })
  },
)

testControl('forms and lost replies survive an HTTP Archive', async ({ control, call, greenhouse }) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  await call('/plants', { method: 'POST', headers: form, body: 'name=Fern+1&tag=%C3%BC' })
  greenhouse.world().use('network-error')
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

testControl('writes an HTTP Archive', async ({ control, call, server, greenhouse }) => {
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
  expect(greenhouse.world('default').journal.size).toBe(2)
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

testControl(
  'ends streams when the server closes, and does not cut them off when its time to close is over',
  async ({ server }) => {
    const next = await listen(server.url)
    const ended = next()
    await server.close()
    // A connection that was cut would reject it.
    expect(await ended).toBeUndefined()
  },
)

testControl('opens no stream for who asks for its headers only', async ({ server }) => {
  const response = await fetch(`${server.url}/__greenhouse/worlds/default/journal/stream`, { method: 'HEAD' })
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
})
