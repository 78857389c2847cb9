import { expect } from 'vitest'
import { through } from '../support/through.ts'
import { expectRefusal } from './refusal.ts'

const withId = (id: string, name = 'Ficus') => `{"id":${id},"name":"${name}"}`

through('the largest ids are kept exactly, and a deletion hits the one it names', async ({ call, world }) => {
  for (const id of ['9223372036854775807', '9223372036854775806'])
    expect((await call('POST', '/plants', { key: 'key_lite', body: withId(id, id) })).status).toBe(200)
  expect((await call('DELETE', '/plants/9223372036854775807', { key: 'key_lite' })).status).toBe(204)
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([{ name: '9223372036854775806' }])
  expect(world.records.plants.all().at(-1)!.id).toBe(9223372036854775806n)
})

through('the least ids are kept exactly', async ({ call }) => {
  for (const id of ['-9223372036854775808', '-9223372036854775807', '-1', '0'])
    expect((await call('POST', '/plants', { key: 'key_lite', body: withId(id, id) })).status).toBe(200)
  for (const id of ['-9223372036854775808', '0']) expect((await call('DELETE', `/plants/${id}`, { key: 'key_lite' })).status).toBe(204)
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([{ name: '-9223372036854775807' }, { name: '-1' }])
})

through('ids that a double can not tell apart are two ids', async ({ call }) => {
  expect((await call('POST', '/plants', { body: withId('9007199254740992') })).status).toBe(200)
  expectRefusal(await call('POST', '/plants', { body: withId('9007199254740993') }), 400, 'the one of the fixtures')
  expect((await call('DELETE', '/plants/9007199254740993')).status).toBe(204)
  expectRefusal(await call('DELETE', '/plants/9007199254740993'), 404)
  expect((await call('DELETE', '/plants/9007199254740992')).status).toBe(204)
})

through('an id beyond 64 bits is refused, and the largest one stays free', async ({ call, world }) => {
  for (const id of ['9223372036854775808', '-9223372036854775809', '18446744073709551615', '1e19', '-1e19', '1e400', '-1e400', '9'.repeat(400)])
    expectRefusal(await call('POST', '/plants', { body: withId(id) }), 400, id)
  expect(world.records.plants.count()).toBe(30)
})

through('an id that is no integer is refused', async ({ call, world }) => {
  const ids = ['1.5', '0.1', '-1.5', '1e-3', '9007199254740993.5', '"7"', '""', 'null', 'true', 'false', '[]', '[7]', '{}', '{"id":7}']
  for (const id of ids) expectRefusal(await call('POST', '/plants', { body: withId(id) }), 400, id)
  expect(world.records.plants.count()).toBe(30)
})

through('an integer may be written with a fraction of zero or an exponent', async ({ call }) => {
  for (const [written, id] of [['1007.0', 1007], ['2e3', 2000], ['30.5e2', 3050], ['-0', 0], ['4E+3', 4000], ['50000e-1', 5000]] as const) {
    expect((await call('POST', '/plants', { body: withId(written) })).status, written).toBe(200)
    expect((await call('DELETE', `/plants/${id}`)).status, written).toBe(204)
  }
})

through('an id is never rounded to another one', async ({ call, world }) => {
  const before = world.records.plants.count()
  for (const id of ['9007199254740995.0', '9.007199254740995e15', '9223372036854775001.0', '123456789012345001e0'])
    expectRefusal(await call('POST', '/plants', { body: withId(id) }), 400, id)
  expect(world.records.plants.count()).toBe(before)
})
