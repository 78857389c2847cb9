import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { throughConnections, faulty } from './among.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi(
  'replies without a body, and those that are shorter, stay as they are',
  faulty({ kind: 'truncate', at: 150 }),
  async ({ world, send, call }) => {
    const length = (await call('HEAD', '/plants')).headers.get('content-length')
    world.use('it')
    expect((await call('HEAD', '/plants')).headers.get('content-length')).toBe(length)
    expect(await call('DELETE', '/plants/101')).toMatchObject({ text: '' })
    expect(world.journal.calls().at(-1)!.scenarios).toEqual([])
    const error = await send('/plants/0', { ...get, method: 'DELETE' })
    expect((await error.text()).length).toBeLessThanOrEqual(150)
    expect(await (await send('/plants', get)).text()).toHaveLength(150)
  },
)

testApi(
  'of two honest ones the shorter counts, whatever their order',
  faulty({ kind: 'truncate', at: 10 }, { kind: 'truncate', at: 3 }, { kind: 'truncate', at: 20 }),
  async ({ world, send }) => {
    world.use('it')
    const response = await send('/plants', get)
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['3', '[{"'])
  },
)

testApi(
  'it cuts bytes, not characters',
  {
    scenarios: {
      it: {
        title: 'It',
        description: 'It.',
        covers: 'It.',
        respond: [{ status: 200, text: 'x×' }],
        fault: [{ kind: 'truncate', at: 2 }],
      },
    },
  },
  async ({ world, send }) => {
    world.use('it')
    expect([...Buffer.from(await (await send('/plants', get)).arrayBuffer())]).toEqual([0x78, 0xc3])
  },
)

throughConnections(
  'a lying one after an honest one cuts what that left, and a HEAD not at all',
  async ({ world, send, call }) => {
    world.use('it')
    expect((await call('HEAD', '/plants')).status).toBe(200)
    const response = await send('/plants', get)
    expect(response.headers.get('content-length')).toBe('10')
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('[{"')
    await expect(reader.read()).rejects.toThrow('terminated')
  },
  faulty({ kind: 'truncate', at: 10 }, { kind: 'truncate', at: 3, content_length: 'lying' }),
)

throughConnections(
  'a lying one at the very end leaves the whole reply',
  async ({ world, call }) => {
    world.use('it')
    expect((await call('GET', '/plants')).text).toHaveLength(3)
    expect((await call('GET', '/plants')).status).toBe(200)
  },
  {
    scenarios: {
      it: {
        title: 'It',
        description: 'It.',
        covers: 'It.',
        respond: [{ status: 200, text: '123' }],
        fault: [{ kind: 'truncate', at: 3, content_length: 'lying' }],
      },
    },
  },
)
