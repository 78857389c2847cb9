import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse, type JournalEntry } from 'greenhouse-mock'
import { testControl } from '../support/control.ts'
import { open, testApi } from '../support/test-api.ts'

/** The next entry whose reply leaves. */
function nextLeft(greenhouse: Greenhouse): Promise<JournalEntry> {
  return new Promise((resolve) => {
    const stop = greenhouse.subscribe((entry) => {
      if (entry.pending) return
      stop()
      resolve(entry)
    })
  })
}

testApi('an entry is complete as soon as the client has its reply', async ({ world, call }) => {
  for (const path of ['/plants?limit=2', '/v1/apps', '/v1/nothing']) {
    const { text } = await call('GET', path)
    const entry = world.journal.calls().at(-1)!
    expect(entry).toMatchObject({ bytes: Buffer.byteLength(text), response: { body: text } })
    expect(entry).not.toHaveProperty('pending')
    expect(entry).not.toHaveProperty('aborted')
  }
  await call('HEAD', '/plants')
  expect(world.journal.calls().at(-1)).toMatchObject({ bytes: 0 })
})

testApi('a delayed reply is pending until it is sent', {}, async ({ greenhouse, world, call }) => {
  const left = nextLeft(greenhouse)
  const answer = call('GET', '/plants', { headers: { 'x-greenhouse-scenario': 'slow:ms=60' } })
  while (world.journal.size === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(world.journal.calls()[0]).toMatchObject({ pending: true, response: { status: 200 } })
  expect(world.journal.calls()[0]).not.toHaveProperty('bytes')
  await answer
  expect((await left).ms).toBeGreaterThanOrEqual(59)
  expect(world.journal.calls()[0]!.ms).toBe((await left).ms)
})

testApi(
  'the end of a reply whose client leaves is heard once',
  {},
  async ({ greenhouse, send, call }) => {
    const heard: unknown[] = []
    greenhouse.subscribe(({ request, aborted }) => request.url === '/plants' && heard.push(aborted))
    const gone = new AbortController()
    const answer = send('/plants', {
      headers: { 'x-greenhouse-scenario': 'slow:ms=10000' },
      signal: gone.signal,
    })
    await expect.poll(() => heard.length).toBe(1)
    gone.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(() => heard).toEqual([undefined, true])
    // What would be heard twice is heard before the next reply.
    await call('GET', '/plants/1')
    expect(heard).toEqual([undefined, true])
  },
)

test('a stream that is cancelled has left as far as it was read', async () => {
  const { world, send } = open()
  world.clock.run()
  world.records.plants.create({ id: 90_001, name: 'n'.repeat(30_000), account: 'acct_pro' })
  const headers = {
    authorization: 'Bearer key_pro',
    'x-greenhouse-scenario': 'drip:bytes-per-second=100000',
  }
  const response = await send('/plants', { headers })
  expect(world.journal.calls()[0]).toMatchObject({ pending: true })
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  expect(world.journal.calls()[0]).toMatchObject({ aborted: true, bytes: value!.length })
})

const faults: [scenario: string, status: number, bytes: number][] = [
  ['truncated-body', 200, 20],
  ['connection-reset', 0, 0],
  ['empty-reply', 0, 0],
  ['garbage', 0, 0],
  ['network-error', 0, 0],
]

for (const [scenario, status, bytes] of faults)
  test(`the journal has the part of a reply that ${scenario} leaves`, async () => {
    const greenhouse = createGreenhouse()
    await using server = await serve(greenhouse)
    const left = nextLeft(greenhouse)
    const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario }
    const reply = fetch(`${server.url}/plants`, { headers }).then((response) => response.text())
    await expect(reply).rejects.toThrow()
    const entry = await left
    expect(entry).toMatchObject({ aborted: true, bytes, response: { status } })
    expect(entry.response.body?.length ?? 0).toBe(bytes)
  })

test('a large body that its client does not read is counted in part', async () => {
  const greenhouse = createGreenhouse()
  await greenhouse
    .world()
    .records.plants.create({ id: 90_001, name: 'n'.repeat(30_000_000), account: 'acct_lite' })
  await using server = await serve(greenhouse)
  const left = nextLeft(greenhouse)
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key_lite\r\n\r\n')
  await new Promise((resolve) => socket.once('readable', resolve))
  socket.destroy()
  const { bytes, aborted } = await left
  expect(aborted).toBe(true)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(30_000_000)
})

testControl(
  'the HTTP Archive has the sizes and times of what left',
  async ({ control, call, world }) => {
    const reply = await call('/plants', {
      headers: { 'x-greenhouse-scenario': 'drip:bytes-per-second=100000' },
    })
    await reply.text()
    world.assume('plants.delete.unknown', '204')
    await call('/plants/77', { method: 'DELETE' })
    const { log } = (await control('GET', '/worlds/default/journal.har')).body
    const [{ time, timings, response }] = log.entries
    expect(response.bodySize).toBe(world.journal.calls()[0]!.bytes)
    expect(response.content.size).toBe(response.bodySize)
    expect(log.entries[1].response).toMatchObject({
      status: 204,
      content: { size: 0, mimeType: '' },
    })
    expect(timings.receive).toBeGreaterThan(0)
    expect(timings.send + timings.wait + timings.receive).toBeCloseTo(time, 2)
  },
)
