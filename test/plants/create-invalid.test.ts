import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

const bodies: [what: string, body: unknown][] = [
  ['no field', {}],
  ['no id', { name: 'Ficus' }],
  ['no name', { id: 1007 }],
  ['a name of null', { id: 1007, name: null }],
  ['a name that is a number', { id: 1007, name: 7 }],
  ['a name that is a list', { id: 1007, name: ['Ficus'] }],
  ['a name that is an object', { id: 1007, name: { name: 'Ficus' } }],
  ['a tag of null', { id: 1007, name: 'Ficus', tag: null }],
  ['a tag that is a number', { id: 1007, name: 'Ficus', tag: 7 }],
  ['a tag that is a boolean', { id: 1007, name: 'Ficus', tag: false }],
  ['a tag that is a list', { id: 1007, name: 'Ficus', tag: ['tree'] }],
  ['fields in other letter case', { Id: 1007, Name: 'Ficus' }],
]

testApi(
  'a body that does not meet the NewPlant shape is answered with 400 and creates nothing',
  async ({ call, world }) => {
    const before = world.records.plants.count()
    for (const [what, body] of bodies) expectRefusal(await call('POST', '/plants', { body }), 400, what)
    expect(world.records.plants.count()).toBe(before)
  },
)

testApi('the message names the field that is wrong', async ({ call }) => {
  expect((await call('POST', '/plants', { body: { id: 1007, name: 7 } })).body.message).toMatch(/^name /)
  expect((await call('POST', '/plants', { body: { name: 'Ficus' } })).body.message).toMatch(/^id /)
  expect((await call('POST', '/plants', { body: { id: 1007, name: 'Ficus', tag: 7 } })).body.message).toMatch(/^tag /)
})
