import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { controlFetch } from '../../src/control/answer-call.ts'
import { expectControlError } from '../support/control.ts'
import { toInit } from '../support/test-api.ts'
import { drain, served } from '../support/socket.ts'

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

const path = '/__greenhouse/worlds/default/journal'
const ask = (port: number, target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`

/** Sends a body that is rejected and fills an entry. */
const fill = (greenhouse: Greenhouse, count: number) =>
  greenhouse.fetch(
    new Request(
      'http://x/plants',
      toInit('POST', { body: `{"name":"${String(count).padEnd(60_000, 'x')}` }),
    ),
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

served(
  'a slowly read listing holds what was there when it began',
  async ({ greenhouse, server, open }) => {
    for (let count = 1; count <= 250; count++) await fill(greenhouse, count)
    const socket = await open()
    socket.write(ask(server.port, path))
    await new Promise((resolve) => socket.once('readable', resolve))
    for (let count = 1; count <= 20; count++) await fill(greenhouse, count)
    greenhouse.world().journal.clear()
    const [head, ...chunks] = (await drain(socket)).split('\r\n\r\n')
    const body = chunks.join('\r\n\r\n')
    expect(head).toMatch(/content-length: /i)
    const ids = [...body.matchAll(/\{"id":(\d+),"at"/g)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  },
)

served(
  'who leaves in the middle of a long listing ends it',
  async ({ greenhouse, server, open }) => {
    for (let count = 1; count <= 100; count++) await fill(greenhouse, count)
    for (const target of [path, path + '.har']) {
      const socket = await open()
      socket.write(ask(server.port, target))
      await new Promise((resolve) => socket.once('readable', resolve))
      socket.destroy()
    }
    const { data } = (await (await fetch(server.url + path)).json()) as { data: unknown[] }
    expect(data).toHaveLength(100)
    const har = (await (await fetch(server.url + path + '.har')).json()) as {
      log: { entries: unknown[] }
    }
    expect(har.log.entries).toHaveLength(100)
  },
)
