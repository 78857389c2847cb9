import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

test('a header scenario starts over when a snapshot from before its first request is restored', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const ask = async () => {
    const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'flaky:failures=1' }
    return (await greenhouse.fetch(new Request('http://any/v1/apps', { headers }))).status
  }
  world.snapshot('before')
  const first = [await ask(), await ask()]
  expect(first[0]).toBeGreaterThanOrEqual(500)
  expect(first[1]).toBe(200)
  world.restore('before')
  expect([await ask(), await ask()]).toEqual(first)
})
