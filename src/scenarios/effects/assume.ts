import * as z from 'zod/mini'
import { defineEffect } from '../effect-kind.ts'

/** `assume`: answers questions of the ledger in another way. */
export const assumeEffect = defineEffect({
  name: 'assume',
  schema: z.record(z.string(), z.union([z.string(), z.number()])),
  check: (spec, { ledger }) =>
    Object.entries(spec).flatMap(([id, value]) => {
      try {
        ledger.check(id, String(value))
        return []
      } catch (error) {
        return [{ path: [id], message: (error as Error).message }]
      }
    }),
  create: (spec, activation) => [
    { ...activation.name('assume'), assumptions: Object.fromEntries(Object.entries(spec).map(([id, value]) => [id, String(value)])) },
  ],
})
