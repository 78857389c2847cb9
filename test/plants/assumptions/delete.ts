import { expect } from 'vitest'
import type { Client } from '../../support/test-api.ts'
import { expectRefusal } from '../refusal.ts'
import type { Behaviour } from './behaviour.ts'

const stays = async ({ call }: Client, key: string, count: number) =>
  expect((await call('GET', '/plants', { key })).body).toHaveLength(count)

function deletesWith(status: number): Behaviour {
  return [
    'plants.delete.status',
    String(status),
    `a deletion is answered with ${status} and no body`,
    async (client) => {
      const answer = await client.call('DELETE', '/plants/101')
      expect(answer.status).toBe(status)
      expect(answer.text).toBe('')
      expect(answer.headers.get('content-type')).toBeNull()
      await stays(client, 'key_pro', 13)
      expectRefusal(await client.call('DELETE', '/plants/101'), 404)
    },
  ]
}

function unknownIsRefused(status: number): Behaviour {
  return [
    'plants.delete.unknown',
    String(status),
    `an id that no plant has is refused with ${status}`,
    async (client) => {
      expectRefusal(await client.call('DELETE', '/plants/1007'), status, 'no plant')
      expectRefusal(await client.call('DELETE', '/plants/1'), status, "another caller's plant")
      await stays(client, 'key_free', 12)
    },
  ]
}

function invalidIsRefused(status: number): Behaviour {
  return [
    'plants.delete.invalid-id',
    String(status),
    `an id that is no int64 is refused with ${status}`,
    async ({ call }) => {
      for (const id of ['one', '1.5', '9223372036854775808', '%20'])
        expectRefusal(await call('DELETE', `/plants/${id}`), status, id)
      expectRefusal(await call('DELETE', '/plants/9223372036854775807'), 404)
    },
  ]
}

function foreignIsRefused(status: number): Behaviour {
  return [
    'plants.delete.foreign',
    String(status),
    `another caller's plant is refused with ${status}`,
    async (client) => {
      expectRefusal(await client.call('DELETE', '/plants/1'), status)
      expectRefusal(await client.call('DELETE', '/plants/1007'), 404)
      await stays(client, 'key_free', 12)
    },
  ]
}

export const deleteBehaviours: Behaviour[] = [
  deletesWith(204),
  deletesWith(200),

  unknownIsRefused(404),
  unknownIsRefused(400),
  [
    'plants.delete.unknown',
    '204',
    'an id that no plant has is answered like a deletion',
    async (client) => {
      for (const id of [1007, 1]) {
        const { status, text } = await client.call('DELETE', `/plants/${id}`)
        expect({ status, text }).toEqual({ status: 204, text: '' })
      }
      await stays(client, 'key_free', 12)
      await stays(client, 'key_pro', 14)
    },
  ],

  invalidIsRefused(400),
  invalidIsRefused(404),

  foreignIsRefused(404),
  foreignIsRefused(403),
]
