import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

test('an entry says which bodies are only the beginning of what was sent', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const send = (body: object) =>
    greenhouse.fetch(
      new Request('http://any/plants', {
        method: 'POST',
        headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  await send({ id: 1_001, name: 'Fern' })
  await send({ id: 1_002, name: 'Fern', tag: 'x'.repeat(65_536) })
  for (let id = 2_000; id < 2_200; id++)
    world.records.plants.create({ id, name: 'Fern '.repeat(99), account: 'acct_pro' })
  await greenhouse.fetch(new Request('http://any/plants?limit=500', { headers: { authorization: 'Bearer key_pro' } }))
  const [short, request, reply] = world.journal.calls()
  expect(short).not.toHaveProperty('cut')
  expect(request!.cut).toContain('request.body')
  expect(reply!.cut).toEqual(['response.body'])
})
