import { expect, test, onTestFinished, vi } from 'vitest'
import { createGreenhouse, type JournalEntry } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { adapters } from '../support/adapters.ts'

const request = (path = '/v1/apps') =>
  new Request(`http://x${path}`, { headers: { authorization: 'Bearer key_pro' } })

test('a closed Greenhouse answers 503, and says why', async () => {
  const greenhouse = createGreenhouse()
  expect((await greenhouse.fetch(request())).status).toBe(200)
  greenhouse.close()
  greenhouse.close()
  for (const path of ['/v1/apps', '/plants', '/~other/plants']) {
    const response = await greenhouse.fetch(request(path))
    const message = expect.stringMatching(/^The Greenhouse is closed: .*createGreenhouse/)
    expect([path, response.status, await response.json()]).toEqual([
      path,
      503,
      { error: { code: 'greenhouse_closed', message } },
    ])
  }
  const isClosed = expect.objectContaining({ name: 'ClosedError' })
  expect(() => greenhouse.world()).toThrow(isClosed)
  expect(() => greenhouse.world('other')).toThrow(isClosed)
  expect(() => greenhouse.reload({ scenarios: {} })).toThrow(isClosed)
  expect(greenhouse.worlds()).toEqual([])
})

test('nothing that was due happens once the Greenhouse is closed', async () => {
  const greenhouse = createGreenhouse()
  const seen: string[] = []
  for (const name of ['default', 'other']) {
    const { clock, journal } = greenhouse.world(name)
    journal.subscribe((entry) => seen.push(`${name}: ${entry ? 'a request' : 'the end'}`))
    clock.schedule(clock.now() + 3_600_000, () => seen.push(`${name}: due`))
  }
  const clocks = ['default', 'other'].map((name) => greenhouse.world(name).clock)
  await greenhouse.fetch(request())
  expect(seen).toEqual(['default: a request'])
  greenhouse.close()
  for (const clock of clocks) clock.advance('2h')
  await greenhouse.fetch(request())
  expect(seen).toEqual(['default: a request', 'other: the end', 'default: the end'])
})

test('using closes it at the end of the block', async () => {
  const kept = [createGreenhouse()]
  {
    using greenhouse = kept[0]!
    expect((await greenhouse.fetch(request())).status).toBe(200)
  }
  expect((await kept[0]!.fetch(request())).status).toBe(503)
})

test('a server whose Greenhouse is closed goes on answering, and closes', async () => {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  greenhouse.close()
  for (const path of [
    '/plants',
    '/__greenhouse/worlds/default/journal',
    '/__greenhouse/worlds/default',
  ]) {
    const response = await fetch(server.url + path, {
      headers: { authorization: 'Bearer key_pro' },
    })
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      503,
      { error: { code: 'greenhouse_closed' } },
    ])
  }
  await server.close()
})

test('a subscriber hears of every request of every world, even after a reset, until it stops', async () => {
  const greenhouse = createGreenhouse()
  const ask = (path: string) => greenhouse.fetch(new Request('http://greenhouse.test' + path))
  const heard: JournalEntry[] = []
  await ask('/plants')
  const stop = greenhouse.subscribe((entry) => heard.push(entry))
  await ask('/~one/plants')
  greenhouse.world('one').reset()
  await ask('/~one/v1/apps')
  await ask('/v1/apps')
  stop()
  await ask('/plants')
  expect(heard.map(({ world, operation }) => [world, operation])).toEqual([
    ['one', 'plants.list'],
    ['one', 'apps.list'],
    ['default', 'apps.list'],
  ])
  expect(heard[0]).toEqual({ ...heard[0], response: { ...heard[0]!.response, status: 401 } })
})

/** Records console output instead of printing it. */
function listenToConsole() {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => told.mockRestore())
  return () => told.mock.calls.map((words) => words.map(String).join(' '))
}

for (const adapter of adapters)
  test(`a listener that fails is reported, and the reply and the process survive (${adapter.name})`, async () => {
    const greenhouse = createGreenhouse()
    const told = listenToConsole()
    greenhouse.subscribe(async () => Promise.reject(new Error('rejected')))
    greenhouse.subscribe(() => {
      throw new Error('thrown')
    })
    greenhouse
      .world()
      .journal.subscribe(async () => Promise.reject(new Error('rejected by the journal')))
    const { send, close } = await adapter.open(greenhouse)
    try {
      expect(
        (await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })).status,
      ).toBe(200)
    } finally {
      await close()
    }
    const failed = 'A listener of the journal failed: Error: '
    const failures = () => new Set(told().filter((line) => line.startsWith(failed)))
    const expected = ['rejected', 'rejected by the journal', 'thrown'].map((why) => failed + why)
    await expect.poll(failures).toEqual(new Set(expected))
  })

test('due work that throws or rejects is reported, and time goes on', async () => {
  const { clock } = createGreenhouse({ now: '2026-03-01T12:00:00Z' }).world()
  const told = listenToConsole()
  const done: string[] = []
  clock.freeze()
  clock.schedule('2026-03-01T12:01:00Z', async () => Promise.reject(new Error('rejected')))
  clock.schedule('2026-03-01T12:01:00Z', () => {
    throw Object.assign(new Error('thrown'), { [Symbol.toPrimitive]: undefined })
  })
  clock.schedule('2026-03-01T12:02:00Z', () => done.push('later'))
  clock.advance('1h')
  expect(done).toEqual(['later'])
  await expect
    .poll(told)
    .toEqual([expect.stringContaining('thrown'), expect.stringContaining('rejected')])
})
