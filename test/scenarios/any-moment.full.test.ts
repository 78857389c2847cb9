import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

/** Moments of the minute, the day, the month, the year. */
const moments = [
  '2026-03-10T12:00:30.5Z',
  '2026-03-10T12:00:59.999Z',
  '2026-03-10T23:59:59.9Z',
  '2026-12-31T23:59:59.95Z',
]

/** They wait for real time. */
const slow = ['drip', 'jittery', 'long-tail', 'slow', 'slow-then-fails', 'timeout', 'very-slow']

const greenhouse = createGreenhouse({ frozen: true, trace: false })
const names = greenhouse.scenarios().map(({ name }) => name)

/** Returns the replies to eight requests, 20 ms apart, under a scenario activated at a moment. */
async function historyAt(name: string, now: string): Promise<string[]> {
  const world = greenhouse.world(`${name}-${moments.indexOf(now)}`)
  await world.clock.set(now)
  try {
    world.use(name as never)
  } catch (error) {
    return [(error as Error).message]
  }
  const told: string[] = []
  for (const [method, path, key, body] of requests) {
    const request = new Request(`http://any/~${world.name}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body ?? null,
    })
    told.push(
      await greenhouse.fetch(request).then(
        async (response) =>
          `${response.status} ${response.headers.get('retry-after') ?? ''} ${(await response.text()).length}`,
        (error: Error) => error.message,
      ),
    )
    await world.clock.advance('20ms')
  }
  return told
}

const requests: readonly (readonly [string, string, string, string?])[] = [
  ['GET', '/plants', 'key_pro'],
  ['GET', '/v1/apps', 'key_pro'],
  ['GET', '/plants', 'key_free'],
  ['POST', '/plants', 'key_pro', '{"id":990001,"name":"Fern"}'],
  ['GET', '/plants', 'key_pro'],
  ['GET', '/v1/account', 'key_pro'],
  ['DELETE', '/plants/990001', 'key_pro'],
  ['GET', '/plants', 'key_pro'],
]

for (const name of names.filter((name) => !slow.includes(name)))
  test(`${name} gives the same whenever it is switched on`, async () => {
    const [first, ...others] = await Promise.all(moments.map((now) => historyAt(name, now)))
    expect(others).toEqual(others.map(() => first))
  })

test('the scenarios that wait are among the library', () => {
  expect(names).toEqual(expect.arrayContaining(slow))
})
