import * as z from 'zod/mini'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Endpoint } from '../../core/pipeline/endpoint.ts'
import type { Reply } from '../../core/http/reply.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { InvalidText, withMark } from '../invalid-text.ts'
import { checkPlace } from '../malform-check.ts'
import { malformAt, malformations } from '../malformation.ts'
import { changeAt, jsonPointer, toPath } from '../pointer.ts'
import { fieldAt, fieldsNamed } from '../reply-fields.ts'
import { createTrigger } from '../trigger.ts'

const spec = z
  .strictObject({
    /** Where, as a JSON pointer: `/0/name`. */
    at: z.optional(z.string().check(z.regex(jsonPointer, 'Invalid JSON pointer: expected something like "/0/name"'))),
    /** What, as the contract calls it: `name`, `data.name`; wherever it is, of lists in the first item. */
    field: z.optional(z.string().check(z.minLength(1))),
    kind: z.enum(malformations),
    ...conditions,
  })
  .check(
    z.refine(
      ({ at, field }) => (at === undefined) !== (field === undefined),
      'expected either "at: <JSON pointer>" or "field: <name>"',
    ),
  )

/** `malform`: makes a value of a reply wrong; which one, a JSON pointer (`/0/name`) or the contract's name for it says. */
export const malformEffect = defineEffect({
  name: 'malform',
  schema: z.array(spec),
  check: (specs, contract) =>
    specs.flatMap((spec, index) =>
      checkPlace(spec, contract.operations).map(({ path, message }) => ({ path: [index, ...path], message })),
    ),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const { at, field, kind } = spec
      const pathsIn = (operation: Endpoint) =>
        field === undefined
          ? [toPath(at!)]
          : fieldsNamed(operation, field)
              .map(({ path }) => path)
              .reverse()
      const invalid = new InvalidText()
      return {
        ...createTrigger(spec, `malform.${index}`, activation, 'on operations'),
        act: `made ${field ?? at} wrong (${kind})`,
        malform(exchange, body) {
          const operation = exchange.operation!
          const paths = pathsIn(operation)
          if (kind !== 'bad-utf8')
            return paths.reduce((changed, path) => malformAt(changed, path, kind, fieldAt(operation, path)), body)
          const mark = invalid.mark(exchange, body)
          return paths.reduce((changed, path) => changeAt(changed, path, (value) => withMark(value, mark)), body)
        },
        ...(kind === 'bad-utf8' && { distort: (exchange: Exchange, reply: Reply) => invalid.spoil(exchange, reply) }),
      }
    }),
})
