import { expect } from 'vitest'
import type { Client } from '../../support/test-api.ts'
import { expectRefusal } from '../helpers.ts'

/**
 * The meaning of a value of an assumption, and what proves it. The first of an id is the default.
 */
export function behaviour(
  choice: `plants.${string}=${string}`,
  sentence: string,
  prove: (client: Client) => Promise<void>,
) {
  const [id, value] = choice.split('=') as [string, string]
  return { id, value, sentence, prove }
}

const listOfLite = async ({ call }: Client) =>
  (await call('GET', '/plants', { key: 'key_lite' })).body

/** Creates three plants, then the second one's id again. */
async function createTwice({ call }: Client) {
  for (const id of [1001, 1002, 1003])
    await call('POST', '/plants', {
      key: 'key_lite',
      body: { id, name: `first ${id}`, tag: 'tree' },
    })
  return call('POST', '/plants', { key: 'key_lite', body: { id: 1002, name: 'second' } })
}

function duplicateIsRefused(status: number) {
  return behaviour(
    `plants.create.duplicate-id=${status}`,
    `an id that exists is a ${status}`,
    async (client) => {
      expectRefusal(await createTwice(client), status)
      expect(await listOfLite(client)).toEqual(
        [1001, 1002, 1003].map((id) => ({ name: `first ${id}`, tag: 'tree' })),
      )
      expectRefusal(
        await client.call('POST', '/plants', { key: 'key_lite', body: { id: 1, name: 'foreign' } }),
        status,
      )
    },
  )
}

const kept = {
  colour: 'green',
  name: 'Ficus',
  account: 'acct_free',
  extra: { deep: [1, null] },
  tag: 'tree',
  Id: 5,
}
const odd = { id: 1007, ...kept }
const bounded = (length: number) => ({ id: 1007, name: '\u{1F331}'.repeat(length) })

export const createBehaviours = [
  duplicateIsRefused(400),
  duplicateIsRefused(409),
  behaviour(
    'plants.create.duplicate-id=replace',
    'an id that exists replaces the plant',
    async (client) => {
      const { status, body } = await createTwice(client)
      expect({ status, body }).toEqual({ status: 200, body: { name: 'second' } })
      expect(await listOfLite(client)).toEqual([
        { name: 'first 1001', tag: 'tree' },
        { name: 'first 1003', tag: 'tree' },
        { name: 'second' },
      ])
      expectRefusal(
        await client.call('POST', '/plants', { key: 'key_lite', body: { id: 1, name: 'foreign' } }),
        400,
      )
      expect((await client.call('GET', '/plants?limit=1', { key: 'key_free' })).body[0].name).toBe(
        'Monstera deliciosa',
      )
    },
  ),
  behaviour(
    'plants.create.unknown-fields=ignore',
    'fields that are not known are ignored',
    async (client) => {
      const { status, body } = await client.call('POST', '/plants', { key: 'key_lite', body: odd })
      expect({ status, body }).toEqual({ status: 200, body: { name: 'Ficus', tag: 'tree' } })
      expect(await listOfLite(client)).toEqual([{ name: 'Ficus', tag: 'tree' }])
    },
  ),
  behaviour(
    'plants.create.unknown-fields=reject',
    'a field that is not known is refused by name',
    async (client) => {
      const refused = await client.call('POST', '/plants', { key: 'key_lite', body: odd })
      expectRefusal(refused, 400)
      expect(refused.body.message).toContain('colour')
      expect(await listOfLite(client)).toEqual([])
      expect(
        (
          await client.call('POST', '/plants', {
            key: 'key_lite',
            body: { id: 1007, name: 'Ficus', tag: 'tree' },
          })
        ).status,
      ).toBe(200)
    },
  ),
  behaviour(
    'plants.create.unknown-fields=keep',
    'fields that are not known come back as sent',
    async (client) => {
      expect((await client.call('POST', '/plants', { key: 'key_lite', body: odd })).body).toEqual(
        kept,
      )
      expect(await listOfLite(client)).toEqual([kept])
      expect(client.world.journal.violations()).toEqual([])
      const { name, tag, ...extra } = kept
      expect(client.world.records.plants.get(1007)).toEqual({
        id: 1007,
        name,
        tag,
        account: 'acct_lite',
        extra,
      })
      expect((await client.call('GET', '/plants', { key: 'key_free' })).body).toHaveLength(12)
      const large = '{"id":1008,"name":"x","age":9223372036854775807}'
      const exact = await client.call('POST', '/plants', { key: 'key_lite', body: large })
      expect(exact.text).toBe('{"age":9223372036854775807,"name":"x"}')
    },
  ),
  behaviour('plants.create.id-range=any', 'an id may be 0 or negative', async ({ call }) => {
    for (const id of ['0', '-1', '-9223372036854775808', '1007'])
      expect((await call('POST', '/plants', { body: `{"id":${id},"name":"x"}` })).status, id).toBe(
        200,
      )
  }),
  behaviour('plants.create.id-range=positive', 'an id below 1 is refused', async ({ call }) => {
    for (const id of ['0', '-0', '-1', '-9223372036854775808'])
      expectRefusal(await call('POST', '/plants', { body: `{"id":${id},"name":"x"}` }), 400, id)
    expect((await call('DELETE', '/plants/1', { key: 'key_free' })).status).toBe(204)
    for (const id of ['1', '9223372036854775807'])
      expect((await call('POST', '/plants', { body: `{"id":${id},"name":"x"}` })).status, id).toBe(
        200,
      )
  }),
  behaviour('plants.name.length=any', 'a name may be empty or long', async ({ call }) => {
    expect((await call('POST', '/plants', { body: { id: 1008, name: '' } })).body).toEqual({
      name: '',
    })
    expect((await call('POST', '/plants', { body: bounded(256) })).status).toBe(200)
  }),
  behaviour(
    'plants.name.length=1-255',
    'a name has 1 to 255 characters',
    async ({ call, world }) => {
      expectRefusal(await call('POST', '/plants', { body: bounded(0) }), 400)
      expectRefusal(await call('POST', '/plants', { body: bounded(256) }), 400)
      expect(world.journal.violations().map(({ message }) => message)).toEqual([
        'name must not be empty.',
        'name must have at most 255 characters.',
      ])
      expect((await call('POST', '/plants', { body: bounded(255) })).status).toBe(200)
      expect((await call('POST', '/plants', { body: { id: 1008, name: 'x' } })).status).toBe(200)
    },
  ),
  behaviour('plants.body.includes-id=no', 'a plant comes back without its id', async ({ call }) => {
    const created = await call('POST', '/plants', {
      key: 'key_lite',
      body: { id: 1007, name: 'Ficus' },
    })
    expect(created.text).toBe('{"name":"Ficus"}')
    expect((await call('GET', '/plants', { key: 'key_lite' })).text).toBe('[{"name":"Ficus"}]')
  }),
  behaviour('plants.body.includes-id=yes', 'a plant comes back with its id', async ({ call }) => {
    const created = await call('POST', '/plants', {
      key: 'key_lite',
      body: '{"id":9223372036854775807,"name":"Ficus","tag":"tree"}',
    })
    expect(created.text).toBe('{"name":"Ficus","tag":"tree","id":9223372036854775807}')
    await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'Fern' } })
    expect((await call('GET', '/plants', { key: 'key_lite' })).text).toBe(
      `[${created.text},{"name":"Fern","id":1007}]`,
    )
  }),
]

const stays = async ({ call }: Client, key: string, count: number) =>
  expect((await call('GET', '/plants', { key })).body).toHaveLength(count)

function deletesWith(status: number) {
  return behaviour(
    `plants.delete.status=${status}`,
    `a deletion is ${status} without a body`,
    async (client) => {
      const answer = await client.call('DELETE', '/plants/101')
      expect(answer.status).toBe(status)
      expect(answer.text).toBe('')
      expect(answer.headers.get('content-type')).toBeNull()
      await stays(client, 'key_pro', 13)
      expectRefusal(await client.call('DELETE', '/plants/101'), 404)
    },
  )
}

function unknownIsRefused(status: number) {
  return behaviour(
    `plants.delete.unknown=${status}`,
    `an id that no plant has is a ${status}`,
    async (client) => {
      expectRefusal(await client.call('DELETE', '/plants/1007'), status, 'no plant')
      expectRefusal(await client.call('DELETE', '/plants/1'), status, "another caller's plant")
      await stays(client, 'key_free', 12)
    },
  )
}

function invalidIsRefused(status: number) {
  return behaviour(
    `plants.delete.invalid-id=${status}`,
    `an id that is no int64 is a ${status}`,
    async ({ call }) => {
      for (const id of ['one', '1.5', '9223372036854775808', '%20'])
        expectRefusal(await call('DELETE', `/plants/${id}`), status, id)
      expectRefusal(await call('DELETE', '/plants/9223372036854775807'), 404)
    },
  )
}

function foreignIsRefused(status: number) {
  return behaviour(
    `plants.delete.foreign=${status}`,
    `another caller's plant is a ${status}`,
    async (client) => {
      expectRefusal(await client.call('DELETE', '/plants/1'), status)
      expectRefusal(await client.call('DELETE', '/plants/1007'), 404)
      await stays(client, 'key_free', 12)
    },
  )
}

export const deleteBehaviours = [
  deletesWith(204),
  deletesWith(200),
  unknownIsRefused(404),
  unknownIsRefused(400),
  behaviour(
    'plants.delete.unknown=204',
    'an id that no plant has is answered like a deletion',
    async (client) => {
      for (const id of [1007, 1]) {
        const { status, text } = await client.call('DELETE', `/plants/${id}`)
        expect({ status, text }).toEqual({ status: 204, text: '' })
      }
      await stays(client, 'key_free', 12)
      await stays(client, 'key_pro', 14)
    },
  ),
  invalidIsRefused(400),
  invalidIsRefused(404),
  foreignIsRefused(404),
  foreignIsRefused(403),
]
