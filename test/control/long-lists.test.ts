import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { controlFetch } from '../../src/control/answer-call.ts'
import { expectControlError } from '../support/control.ts'
import { drain, served } from '../support/socket.ts'
import { ask, fill, path } from './long-journal.ts'

test.each(['worlds', 'worlds/default/records/plants', 'worlds/default/quotas'])(
  'a list of %s shows 1,000 at a time, and how many there are',
  async (list) => {
    const greenhouse = createGreenhouse({ maxWorlds: 2_000 })
    const { accounts, keys, plants } = greenhouse.world().records
    const count = 1_200
    const numbers = Array.from({ length: count }, (_, at) => at)
    const [account, key] = [accounts.all()[0]!, keys.all()[0]!]
    for (const at of numbers) greenhouse.world(`w${at}`)
    accounts.replace(numbers.map((at) => ({ ...account, id: `acct_${at}` })))
    keys.replace(numbers.map((at) => ({ ...key, secret: `key_${at}`, account: `acct_${at}` })))
    plants.replace(numbers.map((id) => ({ id, name: 'Fern', account: 'acct_1' })))
    const page = async (query: string) => {
      const answer = await controlFetch(greenhouse)(`http://x/__greenhouse/${list}${query}`)
      return (await answer.json()) as { data: unknown[]; total: number }
    }
    const { data, total } = await page('')
    expect(data).toHaveLength(1_000)
    expect(total).toBeGreaterThanOrEqual(count)
    expect((await page('?limit=5000')).data).toHaveLength(1_000)
    expect([...data, ...(await page('?offset=1000')).data]).toHaveLength(total)
    expect((await page('?offset=2&limit=3')).data).toHaveLength(3)
  },
)

served(
  'at most 100 streams are open at once; when one closes there is room for another',
  async ({ server }) => {
    const open = async () => {
      const aborter = new AbortController()
      const response = await fetch(server.url + path + '/stream', { signal: aborter.signal })
      return { response, close: () => aborter.abort() }
    }
    const streams = await Promise.all(Array.from({ length: 100 }, open))
    expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200]))
    const { response } = await open()
    expectControlError(
      { status: response.status, body: await response.json() },
      409,
      'too_many_streams',
      /100 streams/,
    )
    expect((await fetch(server.url + path + '/stream', { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(server.url + path)).status).toBe(200)
    streams[0]!.close()
    let again = await open()
    while (again.response.status === 409) again = await open()
    expect(again.response.status).toBe(200)
    for (const { close } of [...streams, again]) close()
  },
)

served(
  'a stream that is not read is closed, and its last event says so',
  async ({ greenhouse, server, open }) => {
    const socket = await open()
    socket.write(ask(server.port, path + '/stream'))
    await new Promise((resolve) => socket.once('readable', resolve))
    // More than a socket's buffers hold, whatever their size.
    for (let count = 0; count < 500; count++) await fill(greenhouse, count)
    const events = (await drain(socket)).split('\n\n')
    expect(events.length).toBeLessThan(500)
    const last = events.findLast((event) => event.includes('event:'))!
    expect(last).toContain('event: closed\ndata: {"reason":"overflow"')
    expect(events.slice(events.indexOf(last) + 1).join('')).not.toContain('data:')
  },
)
