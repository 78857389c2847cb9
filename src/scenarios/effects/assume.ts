import * as z from 'zod/mini'
import { defineEffect } from '../effect-kind.ts'

/** `assume`: answers questions of the ledger in another way. */
export const assumeEffect = defineEffect({
  name: 'assume',
  schema: z.record(z.string(), z.union([z.string(), z.number()])),
  create: (spec, { scenario }) => [
    { scenario, assumptions: Object.fromEntries(Object.entries(spec).map(([id, value]) => [id, String(value)])) },
  ],
})
