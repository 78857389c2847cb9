import * as z from 'zod/mini'
import { on, operationFilter } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { changeAt, toPath } from '../pointer.ts'
import { malformations } from '../malformation.ts'

/** `malform`: makes one value of a reply wrong; which one, a JSON pointer (`/0/name`) says. */
export const malformEffect = defineEffect({
  name: 'malform',
  schema: z.array(
    z.strictObject({
      on,
      at: z.string().check(z.regex(/^(\/([^~/]|~[01])*)*$/, 'Invalid JSON pointer: expected "/0/name", say')),
      kind: z.enum(malformations),
    }),
  ),
  create: (specs, { scenario }) =>
    specs.map(({ on, at, kind }) => {
      const isMeant = operationFilter(on)
      const path = toPath(at)
      return { scenario, malform: (exchange, body) => (isMeant(exchange.operation!.id) ? changeAt(body, path, kind) : body) }
    }),
})
