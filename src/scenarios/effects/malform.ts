import * as z from 'zod/mini'
import type { Endpoint } from '../../core/pipeline/endpoint.ts'
import { defineEffect } from '../effect-kind.ts'
import { InvalidText, withMark } from '../invalid-text.ts'
import { checkPlace } from '../malform-check.ts'
import { malformAt, malformKinds } from '../malformation.ts'
import { changeAt, jsonPointer, toPath } from '../pointer.ts'
import { fieldAt, fieldsNamed } from '../reply-fields.ts'

export const malformEffect = defineEffect({
  name: 'malform',
  description: 'Makes a value of the reply wrong. Select it by JSON pointer (at) or by name (field).',
  actsOn: 'operations',
  fields: {
    at: z
      .optional(z.string().check(z.regex(jsonPointer, 'Invalid JSON pointer: expected something like "/0/name"')))
      .check(z.describe('A JSON pointer to the value: /0/name.')),
    field: z
      .optional(z.string().check(z.minLength(1)))
      .check(
        z.describe(
          'The name of the field in the contract: name, or data.name. It is wrong everywhere; in a list, in the first item.',
        ),
      ),
    kind: z.enum(malformKinds).check(z.describe('What is wrong with the value.')),
    breaks: z
      .optional(z.boolean())
      .check(
        z.describe(
          'Whether to refuse the kinds missing and empty where the reply would still fit the contract: false by default.',
        ),
      ),
  },
  rules: [
    {
      holds: ({ at, field }) => (at === undefined) !== (field === undefined),
      message: 'expected either "at: <JSON pointer>" or "field: <name>"',
    },
  ],
  check: (spec, contract) => checkPlace(spec, contract.operations),
  create({ at, field, kind }) {
    const pathsIn = (operation: Endpoint) =>
      field === undefined
        ? [toPath(at!)]
        : fieldsNamed(operation, field)
            .map(({ path }) => path)
            .reverse()
    const act = `made ${field ?? at} wrong (${kind})`
    if (kind === 'bad-utf8') {
      const invalid = new InvalidText()
      return {
        act,
        malform(exchange, body) {
          const mark = invalid.mark(exchange, body)
          return pathsIn(exchange.operation!).reduce(
            (changed, path) => changeAt(changed, path, (value) => withMark(value, mark)),
            body,
          )
        },
        transformReply: (exchange, reply) => invalid.makeInvalid(exchange, reply),
      }
    }
    return {
      act,
      isCacheable: true,
      malform(exchange, body) {
        const operation = exchange.operation!
        return pathsIn(operation).reduce(
          (changed, path) => malformAt(changed, path, kind, fieldAt(operation, path)),
          body,
        )
      },
    }
  },
})
