import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestEvent } from '../../src/panel/data/shapes.ts'
import { merge } from '../../src/panel/views/traffic/log.ts'

const entry = (id: number, pending: boolean): RequestEvent =>
  ({ id, ...(pending && { pending }), scenarios: [], assumptions: [] }) as unknown as RequestEvent

test('merged lists of requests are newest first, unique, and none is pending after its reply', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 4 }), (lists) => {
      let merged: readonly RequestEvent[] = []
      const sent = new Map<number, boolean>()
      for (const list of lists) {
        for (const [id, pending] of list) sent.set(id, (sent.get(id) ?? false) || !pending)
        merged = merge(
          merged,
          list.map(([id, pending]) => entry(id, pending)).sort((one, other) => other.id - one.id),
        )
      }
      expect(merged.map(({ id, pending }) => [id, !pending])).toEqual([...sent].sort(([one], [other]) => other - one))
    }),
  )
})
