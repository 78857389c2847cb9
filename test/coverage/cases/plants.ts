import { waysOf } from '../refusals.ts'
import { but, sound, when, withBody, withQuery, type Cases } from '../ways.ts'

const newPlant = { id: 5000, name: 'Ficus' }
const existing = { id: 1, name: 'Ficus' }
const badPlants = [
  {},
  { id: 5000 },
  { name: 'Ficus' },
  { id: '5000', name: 'Ficus' },
  { id: 1.5, name: 'Ficus' },
  { id: 5000, name: 7 },
  existing,
]

export const plants: Cases = {
  ...waysOf('plants.list', { 200: [sound('plants.list')], 400: [withQuery('plants.list', 'limit=many')] }),
  ...waysOf('plants.create', {
    200: [sound('plants.create')],
    400: badPlants.map((body) => withBody('plants.create', body)),
    409: [
      when('plants.create', 'an id that exists', (world) => world.assume('plants.create.duplicate-id', '409'), {
        body: existing,
      }),
    ],
    413: [but('plants.create', 'a body that is too large', { body: { ...newPlant, name: 'x'.repeat(2 ** 20) } })],
    415: [
      but('plants.create', 'gzip', { headers: { 'content-encoding': 'gzip' } }),
      when('plants.create', 'text', (world) => world.assume('plants.body.type', '415'), {
        headers: { 'content-type': 'text/plain' },
      }),
    ],
  }),
  ...waysOf('plants.delete', {
    204: [sound('plants.delete')],
    200: [
      when('plants.delete', 'with plants.delete.status=200', (world) => world.assume('plants.delete.status', '200')),
    ],
    400: [['an id that is no int64', ['DELETE', '/plants/9223372036854775808']]],
    403: [
      when('plants.delete', "another account's", (world) => world.assume('plants.delete.foreign', '403'), {
        key: 'key_lite',
      }),
    ],
    404: [
      ['an unknown plant', ['DELETE', '/plants/999999']],
      but('plants.delete', "another account's", { key: 'key_lite' }),
    ],
  }),
}
