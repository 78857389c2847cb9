import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const names = (body: { name: unknown }[]) => body.map(({ name }) => name)

testApi('a malformed list is the list as it is now', async ({ world, call }) => {
  world.use('malformed-plant')
  const list = async () => (await call('GET', '/plants')).body as { name: unknown }[]
  const before = await list()
  expect(await list()).toEqual(before)
  expect(before[0]!.name).toBe(42)
  expect((await call('DELETE', '/plants/102')).status).toBeLessThan(300)
  expect(names(await list())).toEqual(names(before).toSpliced(1, 1))
  world.use('malformed-plant', { kind: 'null' })
  expect((await list())[0]!.name).toBeNull()
  world.clear()
  expect((await list())[0]!.name).toBe('Lavandula angustifolia')
})

testApi('of one list each request gets what its own scenarios make of it', async ({ world, call }) => {
  const first = async (scenario?: string) =>
    (await call('GET', '/plants', { headers: scenario === undefined ? {} : { 'x-greenhouse-scenario': scenario } }))
      .body[0]
  const sound = await first()
  for (let round = 0; round < 2; round++) {
    expect(await first('malformed-plant')).toEqual({ ...sound, name: 42 })
    expect(await first('malformed-plant:field=tag;kind=null')).toEqual({ ...sound, tag: null })
    expect(await first()).toEqual(sound)
  }
  expect(world.journal.calls().map(({ scenarios }) => scenarios.length)).toEqual([0, 1, 1, 0, 1, 1, 0])
})

testApi(
  'what is malformed now and then stays so, however often the list is read',
  {},
  async ({ greenhouse, world, call }) => {
    greenhouse.reload({
      scenarios: {
        own: {
          title: 'T',
          description: 'D',
          covers: 'C',
          malform: [
            { on: 'plants.list', at: '/0/name', kind: 'null', every: 2 },
            { on: 'plants.list', at: '/0/tag', kind: 'missing' },
          ],
        },
      },
    })
    world.use('own')
    const seen: unknown[] = []
    for (let round = 0; round < 4; round++) seen.push((await call('GET', '/plants')).body[0])
    const odd = { name: 'Lavandula angustifolia' }
    expect(seen).toEqual([odd, { name: null }, odd, { name: null }])
    expect(world.journal.calls().map(({ verdicts }) => verdicts!.map(({ fired }) => fired))).toEqual([
      [false, true],
      [true, true],
      [false, true],
      [true, true],
    ])
  },
)

testApi(
  'the length of a malformed list is exact, even after another fault cuts it short',
  async ({ world, call, send }) => {
    world.use('malformed-plant', { kind: 'huge' })
    for (let round = 0; round < 2; round++) {
      const { text, headers } = await call('GET', '/plants?limit=2')
      expect(text.length).toBeGreaterThan(100_000)
      if (headers.has('content-length')) expect(headers.get('content-length')).toBe(String(text.length))
    }
    world.use('truncated-json')
    const cut = await send('/plants?limit=2', { headers: { authorization: 'Bearer key_pro' } })
    const { length } = await cut.text()
    expect(length).toBeLessThan(100_000)
    await expect.poll(() => world.journal.calls().at(-1)!.bytes).toBe(length)
  },
)
