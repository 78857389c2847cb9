import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'

testApi(
  'headers are set, removed and repeated whatever their case; a number is taken as its text',
  faulty(
    {
      kind: 'headers',
      set: { 'x-ratelimit-remaining': '-1', 'Retry-After': 5 },
      remove: ['x-request-ID'],
      repeat: ['x-ratelimit-limit', 'X-Nowhere'],
    },
    { kind: 'headers', repeat: ['Content-Type', 'content-type'] },
  ),
  async ({ world, call }) => {
    world.use('it')
    const { headers } = await call('GET', '/v1/apps')
    expect(headers.get('x-ratelimit-remaining')).toBe('-1')
    expect(headers.get('retry-after')).toBe('5')
    expect(headers.has('x-request-id')).toBe(false)
    expect(headers.get('x-ratelimit-limit')).toBe('300, 300')
    expect(headers.get('content-type')).toBe('application/json, application/json')
    expect(headers.has('x-nowhere')).toBe(false)
  },
)

testApi(
  'a HEAD has the same headers',
  faulty({ kind: 'headers', set: { 'Content-Type': 'text/html', 'X-Extra': 'yes' }, repeat: ['X-Extra'] }),
  async ({ world, call }) => {
    world.use('it')
    const { headers, text } = await call('HEAD', '/plants')
    expect([headers.get('content-type'), headers.get('x-extra'), text]).toEqual(['text/html', 'yes, yes', ''])
  },
)

testApi(
  'headers that are as they are to be are not changed',
  faulty(
    { kind: 'headers', set: { 'X-RateLimit-Limit': '300' }, remove: ['X-None'] },
    { kind: 'headers', on: 'apps.delete', set: { 'X-A': 'a' } },
  ),
  async ({ world, call }) => {
    world.use('it')
    await call('GET', '/v1/apps')
    expect(world.journal.calls().at(-1)).not.toHaveProperty('reason')
    await call('DELETE', '/v1/apps/none')
    expect(world.journal.calls().at(-1)!.reason).toMatch(/; scenario it changed the headers$/)
  },
)
