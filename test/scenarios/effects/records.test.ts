import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { own } from './own.ts'

const empty = { scenarios: own({ records: [{ collection: 'plants', keep: 'none' }] }) }
const create = { body: { id: 5000, name: 'Ficus' } }

through(
  "records shows a store of the scenario's own, whose contents snapshots take along and clearing drops",
  async ({ world, call }) => {
    const names = async () => (await call('GET', '/plants')).body.map(({ name }: { name: string }) => name)
    const before = await names()
    world.use('own')
    await call('POST', '/plants', create)
    world.snapshot('one plant')
    await call('DELETE', '/plants/5000')
    expect(await names()).toEqual([])
    world.restore('one plant')
    expect(await names()).toEqual(['Ficus'])
    world.clear()
    expect(await names()).toEqual(before)
    world.use('own')
    expect(await names(), 'switched on again it starts anew').toEqual([])
  },
  empty,
)

through(
  'records can mean one caller: the others see what is stored',
  async ({ world, call }) => {
    world.use('own')
    expect((await call('GET', '/plants')).body).toEqual([])
    expect((await call('GET', '/plants', { key: 'key_free' })).body.length).toBeGreaterThan(0)
  },
  { scenarios: own({ records: [{ collection: 'plants', keep: 'none', where: { account: 'acct_pro' } }] }) },
)

through(
  'the same records are made up every time, beside those that are kept',
  async ({ world, call }) => {
    world.use('own')
    const first = (await call('GET', '/plants')).text
    world.reset()
    world.clock.freeze()
    world.use('own')
    expect((await call('GET', '/plants')).text).toBe(first)
    expect(JSON.parse(first).filter(({ tag }: { tag?: string }) => tag === 'sample')).toHaveLength(3)
  },
  { scenarios: own({ records: [{ collection: 'plants', add: 3 }] }) },
)
