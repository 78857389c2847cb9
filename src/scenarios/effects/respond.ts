import * as z from 'zod/mini'
import { ApiError, errors, type ErrorCode } from '../../core/errors.ts'
import { emptyReply, jsonReply } from '../../core/reply.ts'
import { on, operationFilter } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValue = z.string().check(z.regex(/^[\t\x20-\x7e]*$/, 'Invalid header: expected printable ASCII'))

/** `respond`: gives a fixed reply in place of the operation's: an error of the catalogue, or a status with headers and a JSON body. */
export const respondEffect = defineEffect({
  name: 'respond',
  schema: z.array(
    z.strictObject({
      on,
      error: z.optional(z.enum(codes)),
      message: z.optional(z.string()),
      status: z.optional(z.int().check(z.gte(200), z.lte(599))),
      headers: z.optional(z.record(z.string().check(z.regex(token, 'Invalid header name')), headerValue)),
      body: z.optional(z.unknown()),
    }).check(z.refine(({ error, status }) => error !== undefined || status !== undefined, 'expected "error" or "status"')),
  ),
  create: (specs, { scenario }) =>
    specs.map(({ on, error, message, status, headers, body }) => {
      const isMeant = operationFilter(on)
      return {
        scenario,
        respond(exchange) {
          if (!isMeant(exchange.operation!.id)) return undefined
          exchange.fired.push(scenario)
          const reply = error
            ? exchange.area.toErrorReply(exchange, new ApiError(error, message))
            : body === undefined
              ? emptyReply(status!)
              : jsonReply(status!, body)
          return { status: status ?? reply.status, headers: { ...reply.headers, ...headers }, body: reply.body }
        },
      }
    }),
})
