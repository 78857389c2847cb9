import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'

const request = (path = '/v1/apps') => new Request(`http://x${path}`, { headers: { authorization: 'Bearer key_pro' } })

test('a closed Greenhouse answers 503, and says why', async () => {
  const greenhouse = createGreenhouse()
  expect((await greenhouse.fetch(request())).status).toBe(200)
  greenhouse.close()
  greenhouse.close()
  for (const path of ['/v1/apps', '/plants', '/~other/plants']) {
    const response = await greenhouse.fetch(request(path))
    expect(response.status, path).toBe(503)
    expect(await response.json(), path).toEqual({
      error: {
        code: 'greenhouse_closed',
        message: expect.stringMatching(/^The Greenhouse is closed: .*createGreenhouse/),
      },
    })
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
  for (const path of ['/plants', '/__greenhouse/worlds/default/journal', '/__greenhouse/worlds/default']) {
    const response = await fetch(server.url + path, { headers: { authorization: 'Bearer key_pro' } })
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      503,
      { error: { code: 'greenhouse_closed' } },
    ])
  }
  await server.close()
})
