import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './helpers.ts'

const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)

testApi('a deleted plant is gone and the others stay', async ({ call }) => {
  const { status, text } = await call('DELETE', '/plants/202', { key: 'key_pro_plus' })
  expect({ status, text }).toEqual({ status: 204, text: '' })
  expect(names(await call('GET', '/plants', { key: 'key_pro_plus' }))).toEqual([
    'Paphiopedilum rothschildianum',
    'Amorphophallus titanum',
    'Wollemia nobilis',
  ])
})

testApi('a body on a deletion is not looked at', async ({ call }) => {
  expect((await call('DELETE', '/plants/202', { key: 'key_pro_plus', body: '{' })).status).toBe(204)
})

testApi('an id in the path that is no integer of 64 bits is refused', async ({ call, world }) => {
  const before = world.records.plants.all()
  const ids = [
    ['one', '1a', '1.0', '1.5', '1e2', '0x65', '101n', '+101', '-', '--1', '101-', '１０１', 'null', 'NaN', '*'],
    ['9223372036854775808', '-9223372036854775809', '18446744073709551717', '9'.repeat(4000), '%20', '101%20'],
    ['%20101', '%00', '101%00', '101%0A', '101%2F', '1%2F101', '%2B101', '101,102', '101;102', '%F0%9F%8C%B1'],
    ['__proto__', 'constructor', 'prototype', 'toString'],
  ].flat()
  for (const id of ids) expectRefusal(await call('DELETE', `/plants/${id}`), 400, id)
  expect(world.records.plants.all()).toEqual(before)
})

testApi('an id whose percent-encoding is wrong is refused', async ({ call }) => {
  for (const id of ['%zz', '%', '101%', '%ff', '%C0%80', '%ED%A0%80', '%E0%A4%A'])
    expectRefusal(await call('DELETE', `/plants/${id}`), 400, id)
})
