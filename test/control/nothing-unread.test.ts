import { expect } from 'vitest'
import { controlled } from '../support/control.ts'

controlled(
  'a query or a field that a call does not read is 400 that names it, and nothing happens',
  async ({ control, greenhouse }) => {
    const world = greenhouse.world()
    world.records.plants.delete(1)
    const calls: [method: string, path: string, body: unknown, told: string][] = [
      ['POST', '/worlds/default/reset?hard=1', undefined, 'This call takes no query parameters; "hard" was sent.'],
      ['POST', '/worlds/default/reset', { sed: 1 }, 'there is no field "sed". It takes snapshot.'],
      [
        'GET',
        '/worlds/default/records/plants?acount=acct_free',
        undefined,
        'There is no query parameter "acount"; expected one of search, sort, limit, offset, places and where.FIELD. Did you mean "where.account"?',
      ],
      [
        'DELETE',
        '/worlds/default/journal?limit=1',
        undefined,
        'This call takes no query parameters; "limit" was sent.',
      ],
      ['DELETE', '/worlds/default/scenarios', { name: 'slow' }, 'This call takes no fields; "name" was sent.'],
      ['PUT', '/worlds/default/snapshots/a', { now: 1 }, 'This call takes no fields; "now" was sent.'],
    ]
    for (const [method, path, body, told] of calls) {
      const { status, body: reply } = await control(method, path, body)
      expect([path, status, reply.error?.message]).toEqual([path, 400, told])
    }
    expect(world.records.plants.get(1)).toBeUndefined()
    expect(world.snapshots).toEqual([])
    expect((await control('POST', '/worlds/default/reset', {})).status).toBe(200)
    expect(world.records.plants.get(1)).toBeDefined()
  },
)
