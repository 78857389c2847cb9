import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import {
  ControlApi,
  type ControlApiOptions,
  type ControlMessage,
} from '../../../src/control/client/control-api.ts'
import {
  CallError,
  ForeignServerError,
  ServerUnreachableError,
  TokenError,
} from '../../../src/control/client/errors.ts'
import { controlFetch } from '../../../src/control/answer-call.ts'
import { createGreenhouse, type Greenhouse } from '../../../src/index.ts'
import { findFreePort } from '../../support/free-port.ts'
import { answerUntilEnd } from '../../support/listen.ts'

async function connectTo(
  place: string,
  greenhouse: Greenhouse,
  options?: ControlApiOptions,
): Promise<ControlApi> {
  if (place !== 'a server')
    return new ControlApi('http://greenhouse.test', { ...options, fetch: controlFetch(greenhouse) })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  return new ControlApi(server.url, options)
}

const places = ['a server', 'the same process']

test.each(places)(
  'calls reach %s, with integers of 64 bits, and a long answer is whole',
  async (place) => {
    const greenhouse = createGreenhouse({ seed: 1 })
    const api = await connectTo(place, greenhouse, { world: 'shop' })
    const id = 9007199254740999n
    const body = { id, name: 'Fern', account: 'acct_pro' }
    const plants = { collection: 'plants' }
    expect(await api.call('POST /worlds/{world}/records/{collection}', plants, { body })).toEqual(
      body,
    )
    expect(greenhouse.world('shop').records.plants.get(id)?.name).toBe('Fern')
    const listed = await api.call('GET /worlds/{world}/records/{collection}', {
      ...plants,
      search: '9007199254740999',
      limit: 1,
    })
    expect(listed).toMatchObject({ data: [{ id }] })
    expect(await api.call('DELETE /worlds/{world}/journal', { world: 'default' })).toBe(undefined)
    expect(greenhouse.worlds().sort()).toEqual(['default', 'shop'])
    const { data } = await api.call('GET /worlds/{world}/records/{collection}', plants)
    expect(data).toEqual(greenhouse.world('shop').records.plants.all())
  },
)

test.each(places)('a call that %s rejects says why', async (place) => {
  const api = await connectTo(place, createGreenhouse({ seed: 1 }))
  const reject = (call: Promise<unknown>) => call.catch((error: unknown) => error)
  const unknown = await reject(api.call('PUT /worlds/{world}/scenarios', { active: ['slwo'] }))
  expect(unknown).toBeInstanceOf(CallError)
  expect(unknown).toMatchObject({ code: 'unknown_scenario', status: 400, errors: [] })
  expect((unknown as Error).message).toContain('Did you mean "slow"?')
  const body = { id: 1, nmae: 'Fern', account: 'acct_pro' }
  const plants = { collection: 'plants' }
  const fields = await reject(
    api.call('POST /worlds/{world}/records/{collection}', plants, { body }),
  )
  const found = {
    path: '/nmae',
    message: expect.stringMatching(/there is no such field.* Did you mean "name"\?/),
  }
  expect(fields).toMatchObject({ code: 'invalid_request', errors: expect.arrayContaining([found]) })
  const tooDeep = await reject(
    api.call(
      'PATCH /worlds/{world}/clock',
      {},
      { body: JSON.parse('['.repeat(101) + ']'.repeat(101)) },
    ),
  )
  expect(tooDeep).toMatchObject({
    status: 400,
    message: 'The body is nested deeper than 100 levels.',
  })
})

test.each(places)(
  'events of %s come as they happen, until the reader has enough',
  async (place) => {
    const greenhouse = createGreenhouse({ seed: 1 })
    const api = await connectTo(place, greenhouse)
    const controller = new AbortController()
    const seen: ControlMessage[] = []
    const read = async () => {
      for await (const messages of api.events(controller.signal, { types: 'clock' })) {
        seen.push(...messages)
        if (messages.some(({ type }) => type === 'start') && !greenhouse.world().clock.frozen)
          greenhouse.world().clock.freeze()
        if (messages.some(({ type }) => type === 'clock')) return
      }
    }
    await read()
    expect(seen.map(({ type }) => type)).toEqual(['open', 'start', 'clock'])
    expect(seen[2]).toMatchObject({ data: { world: 'default', frozen: true } })
    const reading = read()
    await expect.poll(() => seen.slice(3).map(({ type }) => type)).toEqual(['open', 'start'])
    controller.abort()
    await reading
  },
)

test('a restarted server is found again, and its stream begins again', async () => {
  const port = await findFreePort()
  const first = await serve(createGreenhouse({ seed: 1 }), { port })
  const api = new ControlApi(first.url)
  const controller = new AbortController()
  const seen: ControlMessage[] = []
  const reading = (async () => {
    for await (const messages of api.events(controller.signal)) seen.push(...messages)
  })()
  await expect.poll(() => seen.map(({ type }) => type)).toEqual(['open', 'start'])
  await first.close()
  await expect.poll(() => seen.at(-1)).toMatchObject({ type: 'lost' })
  await using _second = await serve(createGreenhouse({ seed: 1 }), { port })
  await expect.poll(() => seen.at(-1)).toMatchObject({ type: 'start' })
  const servers = seen.flatMap((message) => (message.type === 'start' ? message.data.server : []))
  expect(new Set(servers).size).toBe(2)
  controller.abort()
  await reading
})

test('a call rejects when no Greenhouse answers, or the answer is cut', async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`
  await expect(new ControlApi(nobody).call('GET /health')).rejects.toThrow(
    new ServerUnreachableError(
      'unreachable',
      0,
      `Failed to reach a Greenhouse at ${nobody}: ECONNREFUSED. Start one with greenhouse-mock serve, or give connect() the URL of another server.`,
    ),
  )
  for (const [status, text] of [
    [200, '<html>'],
    [404, '{"error":"no such page"}'],
    [502, 'Bad gateway'],
    [200, ''],
  ] as const) {
    const foreign = await answerUntilEnd((_, response) => response.writeHead(status).end(text))
    await expect(new ControlApi(foreign).call('GET /health')).rejects.toThrow(
      new ForeignServerError(
        'not_greenhouse',
        status,
        `Failed to use the server at ${foreign}: it answered ${status}, but not as Greenhouse does. Give connect() the URL of another server.`,
      ),
    )
  }
  const cut = await answerUntilEnd((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{')
    setTimeout(() => response.destroy(), 10)
  })
  await expect(new ControlApi(cut).call('GET /health')).rejects.toBeInstanceOf(
    ServerUnreachableError,
  )
})

test('a wrong token is an error that says how to give one', async () => {
  await using server = await serve(createGreenhouse({ seed: 1 }), { token: 'a-long-secret' })
  for (const token of [undefined, 'wrong']) {
    const api = new ControlApi(server.url, {
      token: () => token,
      advice: { token: 'give it with --token' },
    })
    const wrong = new TokenError(
      'unauthorized',
      401,
      'The token is missing or wrong: give it with --token.',
    )
    await expect(api.call('GET /worlds')).rejects.toThrow(wrong)
    await expect(api.events().next()).rejects.toThrow(wrong)
  }
  const api = new ControlApi(server.url, { token: () => 'a-long-secret' })
  expect((await api.call('GET /worlds')).data).toHaveLength(1)
})

test('a call ends when its signal aborts, with the reason of the signal', async () => {
  const silent = await answerUntilEnd(() => {})
  const controller = new AbortController()
  const calling = new ControlApi(silent).call('GET /health', {}, { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 20)
  await expect(calling).rejects.toThrow('enough')
})
