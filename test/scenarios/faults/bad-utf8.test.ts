import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'

testApi(
  'one byte of the body is no UTF-8',
  { scenarios: { own: { title: 'T', description: 'D', covers: 'C', fault: [{ kind: 'bad-utf8' }] } } },
  async ({ world, send }) => {
    world.use('own')
    const response = await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
    expect(new Uint8Array(await response.arrayBuffer())).toContain(0xff)
  },
)

testApi(
  'replies without a body stay as they are, and do not count as changed',
  faulty({ kind: 'bad-utf8' }),
  async ({ world, call }) => {
    world.use('it')
    expect((await call('HEAD', '/plants')).status).toBe(200)
    expect((await call('DELETE', '/plants/101')).text).toBe('')
    expect(world.journal.calls().map(({ scenarios }) => scenarios)).toEqual([[], []])
  },
)

testApi(
  'an empty body stays empty, and an error is spoiled as a success is',
  faulty({ kind: 'truncate', at: 0, on: 'apps.*' }, { kind: 'bad-utf8' }),
  async ({ world, send, call }) => {
    world.use('it')
    expect((await call('GET', '/v1/apps')).text).toBe('')
    const response = await send('/plants', {})
    expect(response.status).toBe(401)
    expect(Buffer.from(await response.arrayBuffer())).toContain(0xff)
  },
)
