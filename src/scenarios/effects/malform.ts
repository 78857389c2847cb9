import * as z from 'zod/mini'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { changeAt, toPath } from '../pointer.ts'
import { malformations } from '../malformation.ts'
import { createTrigger } from '../trigger.ts'

/** `malform`: makes one value of a reply wrong; which one, a JSON pointer (`/0/name`) says. */
export const malformEffect = defineEffect({
  name: 'malform',
  schema: z.array(
    z.strictObject({
      at: z.string().check(z.regex(/^(\/([^~/]|~[01])*)*$/, 'Invalid JSON pointer: expected "/0/name", say')),
      kind: z.enum(malformations),
      ...conditions,
    }),
  ),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const path = toPath(spec.at)
      return { ...createTrigger(spec, `malform.${index}`, activation, 'on operations'), malform: (_, body) => changeAt(body, path, spec.kind) }
    }),
})
