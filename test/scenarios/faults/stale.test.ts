import { expect } from 'vitest'
import { adapters } from '../../support/adapters.ts'
import { testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'

const names = (body: any) => body.data.map((app: any) => app.name)

testApi(
  'a GET is answered as it first was, with its age, until it is cleared',
  faulty({ kind: 'stale' }),
  async ({ world, call }) => {
    world.use('it')
    const first = await call('GET', '/v1/apps?limit=100')
    expect(first.headers.has('age')).toBe(false)
    expect((await call('POST', '/v1/apps', { body: { name: 'New' } })).status).toBe(201)
    world.clock.advance('90s')
    const second = await call('GET', '/v1/apps?limit=100')
    expect([second.text, second.headers.get('age'), second.headers.get('content-length')]).toEqual([
      first.text,
      '90',
      first.headers.get('content-length'),
    ])
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    world.clear()
    expect(names((await call('GET', '/v1/apps?limit=100')).body)).toContain('New')
  },
)

testApi(
  'other URLs, other callers, errors and HEAD are not remembered together',
  faulty({ kind: 'stale' }),
  async ({ world, call }) => {
    world.use('it')
    expect((await call('GET', '/v1/apps', { key: 'nobody' })).status).toBe(401)
    const pro = await call('GET', '/v1/apps?limit=1')
    expect((await call('GET', '/v1/apps?limit=2')).body.data).toHaveLength(2)
    expect((await call('GET', '/v1/apps?limit=1', { key: 'key_lite' })).text).not.toBe(pro.text)
    expect((await call('GET', '/v1/apps', { key: 'nobody' })).status).toBe(401)
    expect((await call('HEAD', '/v1/apps?limit=1')).headers.has('age')).toBe(false)
  },
)

testApi(
  'at most 1,000 replies and 1 MiB are remembered; beyond that the first one is forgotten',
  faulty({ kind: 'stale' }),
  async ({ world, call }) => {
    world.use('it')
    const isOld = async (number: number) => (await call('GET', `/plants?limit=${number}`)).headers.has('age')
    for (let number = 0; number < 1_000; number++) expect(await isOld(number)).toBe(false)
    expect([await isOld(0), await isOld(1_000), await isOld(0), await isOld(2)]).toEqual([true, false, false, true])
    world.use('malformed-plant', { kind: 'huge' })
    for (let number = 2_000; number <= 2_010; number++) expect(await isOld(number)).toBe(false)
    expect([await isOld(2_001), await isOld(2_000)]).toEqual([true, false])
  },
  adapters.slice(0, 1),
)

testApi(
  'a success without a body is as good as any other',
  {
    scenarios: {
      it: { title: 'It', description: 'It.', covers: 'It.', respond: [{ status: 200 }], fault: [{ kind: 'stale' }] },
    },
  },
  async ({ world, call }) => {
    world.use('it')
    expect(await call('GET', '/plants')).toMatchObject({ status: 200, text: '' })
    const second = await call('GET', '/plants')
    expect([second.status, second.text, second.headers.get('age')]).toEqual([200, '', '0'])
  },
)
