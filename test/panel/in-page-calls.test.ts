import { expect, onTestFinished, test } from 'vitest'
import { ControlApi, type ControlMessage } from '../../src/control/client/control-api.ts'
import { controlFetch } from '../../src/control/fetch.ts'
import type { ClientBases } from '../../src/core/http/urls.ts'
import { createGreenhouse } from '../../src/index.ts'
import { sendInPage } from '../../src/panel/data/control.ts'

const origin = 'http://shop.test'

function connect(given?: ClientBases) {
  const greenhouse = createGreenhouse({ seed: 1 })
  const bases = () => given
  const control = new ControlApi(origin, { fetch: controlFetch(greenhouse, { bases }) })
  return { greenhouse, control, send: sendInPage({ origin, fetch: greenhouse.fetch, bases }) }
}

test('an integer of 64 bits goes and comes exact', async () => {
  const { control, greenhouse } = connect()
  const id = 9007199254740999n
  const body = { id, name: 'Ficus', account: 'acct_pro' }
  const path = { collection: 'plants' }
  expect(await control.call('POST /worlds/{world}/records/{collection}', { path, body })).toMatchObject(body)
  expect(greenhouse.world().records.plants.get(id)?.name).toBe('Ficus')
  const read = { path: { ...path, id: String(id) } }
  expect(await control.call('GET /worlds/{world}/records/{collection}/{id}', read)).toEqual(body)
})

test('what was answered holds no record of the world, and what was sent becomes none', async () => {
  const { control, greenhouse } = connect()
  const path = { collection: 'plants' }
  const body = { id: 1000, name: 'Ficus', account: 'acct_pro' }
  const made = await control.call('POST /worlds/{world}/records/{collection}', { path, body })
  body.name = 'changed'
  Object.assign(made, { name: 'changed' })
  const { data } = await control.call('GET /worlds/{world}/records/{collection}', { path, query: { search: 'Ficus' } })
  Object.assign(data[0]!, { name: 'changed' })
  expect(greenhouse.world().records.plants.get(1000)?.name).toBe('Ficus')
})

test('an error is one, and nothing has no value', async () => {
  const { control } = connect()
  const missing = { name: 'CallError', status: 404, code: 'unknown_world' }
  await expect(control.call('GET /worlds/{world}', { path: { world: 'nowhere' } })).rejects.toMatchObject(missing)
  expect(await control.call('DELETE /worlds/{world}/journal')).toBeUndefined()
})

test('a world that no header can name is rejected like any other', async () => {
  const { control } = connect()
  const wrong = control.call('GET /worlds/{world}', { path: { world: '🌱' } })
  await expect(wrong).rejects.toMatchObject({ status: 400, code: 'invalid_world' })
})

test('a journal that is answered in parts is whole', async () => {
  const { control, send } = connect()
  for (let count = 0; count < 40; count++) await (await send(`/plants?limit=${count + 1}`, {})).text()
  const page = await control.call('GET /worlds/{world}/journal', { query: { limit: 40 } })
  expect(page).toMatchObject({ data: Array.from({ length: 40 }, (_, at) => ({ id: at + 1 })) })
  expect(await control.call('GET /worlds/{world}/journal.har')).toMatchObject({ log: { version: '1.2' } })
})

test('events come as they happen, and go on after the one that was read last', async () => {
  const { control, greenhouse } = connect()
  const read = (lastId?: string) => {
    const seen: ControlMessage[] = []
    const aborter = new AbortController()
    onTestFinished(() => aborter.abort())
    const ended = (async () => {
      for await (const messages of control.events({ query: { world: 'default' }, lastId, signal: aborter.signal }))
        seen.push(...messages)
    })()
    const types = () => seen.map(({ type }) => type)
    return { seen, types, end: () => (aborter.abort(), ended) }
  }
  const first = read()
  await expect.poll(first.types).toEqual(['open', 'gap'])
  greenhouse.world().use('slow', { ms: 5 })
  await expect.poll(() => first.seen.at(-1)).toMatchObject({ type: 'scenarios', data: { world: 'default' } })
  await first.end()
  greenhouse.world().clock.freeze()
  const last = first.seen.at(-1)!
  const second = read('id' in last ? last.id : undefined)
  await expect.poll(second.types).toEqual(['open', 'clock'])
  await second.end()
  expect(first.types()).toEqual(['open', 'gap', 'scenarios'])
})

test('the URLs are those at which the page is answered', async () => {
  const bases = { plants: 'https://plants.test', apps: 'https://apps.test/api/v2' }
  const urls = { plants_url: bases.plants, apps_url: bases.apps }
  expect(await connect(bases).control.call('GET /start')).toMatchObject(urls)
  const own = { plants_url: origin, apps_url: `${origin}/v1` }
  expect(await connect().control.call('GET /start')).toMatchObject(own)
})

test('an HTTP Archive has the URLs that the client called', async () => {
  const bases = { plants: 'https://plants.test/shop', apps: 'https://apps.test/api/v2/' }
  const sent = ['/plants?limit=1', '/v1/apps', '/~default/v1/apps', '/~default/v1x']
  const urls = async (given?: ClientBases) => {
    const { control, greenhouse } = connect(given)
    for (const path of sent) await (await greenhouse.fetch(new Request(origin + path))).text()
    const { log } = await control.call('GET /worlds/{world}/journal.har')
    return log.entries.map(({ request }) => request.url)
  }
  expect(await urls(bases)).toEqual([
    'https://plants.test/shop/plants?limit=1',
    'https://apps.test/api/v2/apps',
    'https://apps.test/~default/api/v2/apps',
    'https://plants.test/~default/shop/v1x',
  ])
  expect(await urls()).toEqual(sent.map((path) => origin + path))
})

test('a request goes to the Greenhouse itself where no handlers are known', async () => {
  const { send, greenhouse } = connect()
  const response = await send('/v1/apps?limit=1', { headers: { authorization: 'Bearer key_pro' } })
  expect(response.status).toBe(200)
  await response.text()
  expect(greenhouse.world().journal.calls()).toMatchObject([{ operation: 'apps.list' }])
})

test.each([
  ['/plants?limit=3', 'https://plants.test/shop/plants?limit=3'],
  ['/~checkout/plants/1', 'https://plants.test/~checkout/shop/plants/1'],
  ['/v1/apps?limit=1', 'https://apps.test/api/v2/apps?limit=1'],
  ['/~checkout/v1', 'https://apps.test/~checkout/api/v2'],
  ['/v12', 'https://plants.test/shop/v12'],
])('%s goes through the fetch of the page to %s', async (path, url) => {
  const { send } = connect({ plants: 'https://plants.test/shop/', apps: 'https://apps.test/api/v2' })
  const { fetch } = globalThis
  const asked: unknown[] = []
  globalThis.fetch = async (input) => {
    asked.push(input)
    return new Response()
  }
  try {
    await send(path, {})
  } finally {
    globalThis.fetch = fetch
  }
  expect(asked).toEqual([url])
})
