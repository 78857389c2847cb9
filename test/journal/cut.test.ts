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

test('a reply as long as the journal keeps is whole', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  for (const length of [65_536, 65_537]) {
    world.useOnly([{ respond: [{ on: 'plants.list', status: 200, text: 'x'.repeat(length) }] }])
    await greenhouse.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } }))
  }
  expect(world.journal.calls().map(({ cut }) => cut)).toEqual([undefined, ['response.body']])
})

test('a reply that is no text counts with its length', async () => {
  const greenhouse = createGreenhouse({ use: [{ malform: [{ on: 'plants.list', field: 'name', kind: 'bad-utf8' }] }] })
  const world = greenhouse.world()
  const name = 'x'.repeat(9_000)
  for (let id = 2_000; id < 2_010; id++) world.records.plants.create({ id, name, account: 'acct_lite' })
  await greenhouse.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_lite' } }))
  expect(world.journal.calls()[0]).toMatchObject({ bytes: expect.toSatisfy((bytes: number) => bytes > 60_000) })
  expect(world.journal.bytes).toBeGreaterThan(60_000)
})
