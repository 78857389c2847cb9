import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

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

testApi('a plant is deleted once', async ({ call }) => {
  await call('DELETE', '/plants/202', { key: 'key_pro_plus' })
  expectRefusal(await call('DELETE', '/plants/202', { key: 'key_pro_plus' }), 404)
})

testApi('the id of a deleted plant is free again', async ({ call }) => {
  await call('DELETE', '/plants/202', { key: 'key_pro_plus' })
  const { status } = await call('POST', '/plants', {
    key: 'key_pro_plus',
    body: { id: 202, name: 'Nepenthes attenboroughii' },
  })
  expect(status).toBe(200)
  expect(names(await call('GET', '/plants', { key: 'key_pro_plus' })).at(-1)).toBe('Nepenthes attenboroughii')
})

testApi('every plant of an account can be deleted', async ({ call }) => {
  for (const id of [204, 201, 203, 202])
    expect((await call('DELETE', `/plants/${id}`, { key: 'key_pro_plus' })).status).toBe(204)
  expect((await call('GET', '/plants', { key: 'key_pro_plus' })).body).toEqual([])
})

testApi('a body on a deletion is not looked at', async ({ call }) => {
  expect((await call('DELETE', '/plants/202', { key: 'key_pro_plus', body: '{' })).status).toBe(204)
})
