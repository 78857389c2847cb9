import { expect, test } from 'vitest'
import { answerCall } from '../../src/control/answer-call.ts'
import type { Har } from '../../src/core/journal/har.ts'
import { createGreenhouse, type Greenhouse } from '../../src/index.ts'
import type { ClientBases } from '../../src/core/http/urls.ts'
import { createInPageTransport } from '../../src/panel/data/in-page-transport.ts'
import type { StreamEvent } from '../../src/panel/data/transport.ts'

const origin = 'http://shop.test'

function connect(bases?: ClientBases, greenhouse: Greenhouse = createGreenhouse({ seed: 1 })) {
  const transport = createInPageTransport({
    origin,
    answer: (call) => answerCall(greenhouse, call),
    fetch: greenhouse.fetch,
    bases: () => bases,
  })
  return { greenhouse, ...transport }
}

test('an integer of 64 bits goes and comes exact', async () => {
  const { call, greenhouse } = connect()
  const id = 9007199254740999n
  const made = await call('POST', '/worlds/default/records/plants', { id, name: 'Ficus', account: 'acct_pro' })
  expect(made).toMatchObject({ status: 201, value: { id, name: 'Ficus' } })
  expect(greenhouse.world().records.plants.get(id)?.name).toBe('Ficus')
  const { value } = await call('GET', '/worlds/default/records/plants/9007199254740999')
  expect(value).toEqual({ id, name: 'Ficus', account: 'acct_pro' })
})

test('what was answered holds no record of the world, and what was sent becomes none', async () => {
  const { call, greenhouse } = connect()
  const sent = { id: 1000, name: 'Ficus', account: 'acct_pro' }
  const { value } = await call('POST', '/worlds/default/records/plants', sent)
  sent.name = 'changed'
  ;(value as { name: string }).name = 'changed'
  const listed = await call('GET', '/worlds/default/records/plants?search=Ficus')
  ;(listed.value as { data: { name: string }[] }).data[0]!.name = 'changed'
  expect(greenhouse.world().records.plants.get(1000)?.name).toBe('Ficus')
})

test('an error is an answer, and nothing has no value', async () => {
  const { call } = connect()
  const missing = { status: 404, value: { error: { code: 'unknown_world' } } }
  expect(await call('GET', '/worlds/nowhere')).toMatchObject(missing)
  expect(await call('DELETE', '/worlds/default/journal')).toEqual({ status: 204, value: undefined })
})

test('a journal that is answered in parts is whole', async () => {
  const { call, greenhouse } = connect()
  for (let count = 0; count < 40; count++)
    await (await greenhouse.fetch(new Request(`${origin}/plants?limit=${count + 1}`))).text()
  const { value } = await call('GET', '/worlds/default/journal?limit=40')
  expect(value).toMatchObject({ data: Array.from({ length: 40 }, (_, at) => ({ id: at + 1 })) })
  expect((await call('GET', '/worlds/default/journal.har')).value).toMatchObject({ log: { version: '1.2' } })
})

test('events come as they happen, and go on after the one that was read last', async () => {
  const { events, greenhouse } = connect()
  const read = (lastId?: string) => {
    const seen: StreamEvent[] = []
    const ends: string[] = []
    const close = events('default', {
      lastId,
      onOpen: () => ends.push('open'),
      onEvent: (event) => void seen.push(event),
      onEnd: (reason) => void ends.push(reason),
    })
    return { seen, ends, close }
  }
  const first = read()
  await expect.poll(() => first.seen.map(({ type }) => type)).toEqual(['gap'])
  greenhouse.world().use('slow', { ms: 5 })
  await expect.poll(() => first.seen.at(-1)).toMatchObject({ type: 'scenarios', data: { world: 'default' } })
  first.close()
  greenhouse.world().clock.freeze()
  const second = read(first.seen.at(-1)!.id)
  await expect.poll(() => second.seen.map(({ type }) => type)).toEqual(['clock'])
  second.close()
  expect([first.ends, second.ends]).toEqual([['open'], ['open']])
  expect(first.seen.map(({ type }) => type)).toEqual(['gap', 'scenarios'])
})

test('a stream that is closed at once emits nothing', async () => {
  const { events, call } = connect()
  const told: unknown[] = []
  const tell = (what: unknown) => void told.push(what)
  events('default', { onOpen: () => tell('open'), onEvent: tell, onEnd: tell })()
  await call('GET', '/worlds')
  expect(told).toEqual([])
})

test('the URLs are those at which the page is answered', async () => {
  const bases = { plants: 'https://plants.test', apps: 'https://apps.test/api/v2' }
  const urls = { plants_url: bases.plants, apps_url: bases.apps }
  expect((await connect(bases).call('GET', '/start')).value).toMatchObject(urls)
  expect((await connect().call('GET', '/start')).value).toMatchObject({ plants_url: origin, apps_url: `${origin}/v1` })
})

test('an HTTP Archive has the URLs that the client called', async () => {
  const bases = { plants: 'https://plants.test/shop', apps: 'https://apps.test/api/v2/' }
  const sent = ['/plants?limit=1', '/v1/apps', '/~default/v1/apps', '/~default/v1x']
  const urls = async (given?: ClientBases) => {
    const { call, greenhouse } = connect(given)
    for (const path of sent) await (await greenhouse.fetch(new Request(origin + path))).text()
    const { value } = await call('GET', '/worlds/default/journal.har')
    return (value as Har).log.entries.map(({ request }) => request.url)
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
  const { apiFetch, greenhouse } = connect()
  const response = await apiFetch('/v1/apps?limit=1', { headers: { authorization: 'Bearer key_pro' } })
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
  const { apiFetch } = connect({ plants: 'https://plants.test/shop/', apps: 'https://apps.test/api/v2' })
  const { fetch } = globalThis
  const asked: unknown[] = []
  globalThis.fetch = async (input) => {
    asked.push(input)
    return new Response()
  }
  try {
    await apiFetch(path)
  } finally {
    globalThis.fetch = fetch
  }
  expect(asked).toEqual([url])
})
