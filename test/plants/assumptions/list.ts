import { expect } from 'vitest'
import type { Answer, Client } from '../../support/test-api.ts'
import { expectRefusal } from '../helpers.ts'
import { behaviour } from './writes.ts'

const countOf = ({ status, body }: Answer) => (status === 200 ? body.length : status)
const namesOf = ({ body }: Answer) => body.map(({ name }: { name: string }) => name)

const parameters = ['limit', 'max', 'count', 'per_page']

function limitIsNamed(name: string) {
  return behaviour(
    `plants.list.limit-name=${name}`,
    `${name} caps the list and no other parameter does`,
    async ({ call }) => {
      for (const parameter of parameters)
        expect(countOf(await call('GET', `/plants?${parameter}=2`)), parameter).toBe(
          parameter === name ? 2 : 14,
        )
      const refused = await call('GET', `/plants?${name}=ten`)
      expectRefusal(refused, 400)
      expect(refused.body.message).toContain(`${name} must be an integer`)
    },
  )
}

function limitDefaultsTo(value: string, count: number) {
  return behaviour(
    `plants.list.limit-default=${value}`,
    `without a limit ${value} of 130 are listed`,
    async ({ call, world }) => {
      for (let id = 1000; id < 1130; id++)
        await world.records.plants.create({ id, name: `plant ${id}`, account: 'acct_lite' })
      const listed = namesOf(await call('GET', '/plants', { key: 'key_lite' }))
      expect(listed).toHaveLength(count)
      expect(listed[0]).toBe('plant 1000')
      expect(countOf(await call('GET', '/plants?limit=125', { key: 'key_lite' }))).toBe(125)
    },
  )
}

async function createInDisorder({ call }: Client): Promise<(path: string) => Promise<string[]>> {
  for (const id of ['9223372036854775807', '20', '-5', '9223372036854775806', '1000', '300'])
    await call('POST', '/plants', { key: 'key_lite', body: `{"id":${id},"name":"${id}"}` })
  return async (path) => namesOf(await call('GET', path, { key: 'key_lite' }))
}

export const listBehaviours = [
  ...parameters.map(limitIsNamed),
  behaviour(
    'plants.unknown-query=ignore',
    'query parameters that nobody knows are ignored',
    async ({ call }) => {
      expect(countOf(await call('GET', '/plants?limit=2&sort=name'))).toBe(2)
      expect((await call('DELETE', '/plants/101?force=true', { key: 'key_pro' })).status).toBe(204)
    },
  ),
  behaviour(
    'plants.unknown-query=reject',
    'query parameters that nobody knows are refused by name',
    async ({ call, world }) => {
      const refused = await call('GET', '/plants?limti=2')
      expectRefusal(refused, 400)
      expect(refused.body.message).toBe(
        '"limti" is not a query parameter of this operation. Did you mean "limit"?',
      )
      expectRefusal(await call('GET', '/plants?max=2'), 400)
      expectRefusal(await call('DELETE', '/plants/101?force=true'), 400)
      expect(countOf(await call('GET', '/plants?limit=2'))).toBe(2)
      world.assume('plants.list.limit-name', 'max')
      expect(countOf(await call('GET', '/plants?max=2'))).toBe(2)
      expectRefusal(await call('GET', '/plants?limit=2'), 400)
    },
  ),
  limitDefaultsTo('all', 130),
  limitDefaultsTo('20', 20),
  limitDefaultsTo('100', 100),
  behaviour(
    'plants.list.limit-invalid=400',
    'a limit that is none is refused',
    async ({ call }) => {
      for (const limit of ['-1', 'ten', '', '1.5', '2147483648'])
        expectRefusal(await call('GET', `/plants?limit=${limit}`), 400, limit)
    },
  ),
  behaviour(
    'plants.list.limit-invalid=ignore',
    'a limit that is none counts as no limit',
    async ({ call, world }) => {
      for (const limit of ['-1', 'ten', '', '1.5', '2147483648'])
        expect(countOf(await call('GET', `/plants?limit=${limit}`)), limit).toBe(14)
      expect(countOf(await call('GET', '/plants?limit=2'))).toBe(2)
      for (let id = 1000; id < 1030; id++)
        await world.records.plants.create({ id, name: `plant ${id}`, account: 'acct_pro' })
      world.assume('plants.list.limit-default', '20')
      expect(countOf(await call('GET', '/plants?limit=ten'))).toBe(20)
    },
  ),
  behaviour('plants.list.limit-zero=empty', 'a limit of 0 lists none', async ({ call }) => {
    expect((await call('GET', '/plants?limit=0')).text).toBe('[]')
  }),
  behaviour('plants.list.limit-zero=all', 'a limit of 0 lists all', async ({ call }) => {
    expect(countOf(await call('GET', '/plants?limit=0'))).toBe(14)
    expect(countOf(await call('GET', '/plants?limit=1'))).toBe(1)
  }),
  behaviour('plants.list.limit-zero=400', 'a limit of 0 is refused', async ({ call }) => {
    expectRefusal(await call('GET', '/plants?limit=0'), 400)
    expect(countOf(await call('GET', '/plants?limit=1'))).toBe(1)
  }),
  behaviour('plants.list.order=created', 'the list is in the order of creation', async (client) => {
    const list = await createInDisorder(client)
    expect(await list('/plants')).toEqual([
      '9223372036854775807',
      '20',
      '-5',
      '9223372036854775806',
      '1000',
      '300',
    ])
    expect(await list('/plants?limit=2')).toEqual(['9223372036854775807', '20'])
  }),
  behaviour('plants.list.order=newest', 'the list begins with the newest', async (client) => {
    const list = await createInDisorder(client)
    expect(await list('/plants')).toEqual([
      '300',
      '1000',
      '9223372036854775806',
      '-5',
      '20',
      '9223372036854775807',
    ])
    expect(await list('/plants?limit=2')).toEqual(['300', '1000'])
    expect(await list('/plants?limit=0')).toEqual([])
  }),
  behaviour('plants.list.order=id', 'the list is in the order of ids', async (client) => {
    const list = await createInDisorder(client)
    expect(await list('/plants')).toEqual([
      '-5',
      '20',
      '300',
      '1000',
      '9223372036854775806',
      '9223372036854775807',
    ])
    expect(await list('/plants?limit=2')).toEqual(['-5', '20'])
  }),
]
