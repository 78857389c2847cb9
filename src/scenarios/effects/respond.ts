import * as z from 'zod/mini'
import { ApiError, errors, type ErrorCode } from '../../core/definitions/errors.ts'
import { emptyReply, jsonReply, type Reply } from '../../core/http/reply.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { headerName, headerValue, withHeaders } from '../headers.ts'
import { createTrigger } from '../trigger.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]
const bodiless = [204, 205, 304]

const spec = z
  .strictObject({
    error: z.optional(z.enum(codes)),
    message: z.optional(z.string()),
    status: z.optional(z.int().check(z.gte(200), z.lte(599))),
    headers: z.optional(z.record(headerName, headerValue)),
    /** A JSON body. */
    body: z.optional(z.unknown()),
    /** A body that is sent unchanged. */
    text: z.optional(z.string()),
    /** Something in front of the service answers: none of the service's own headers. */
    in_front: z.optional(z.boolean()),
    ...conditions,
  })
  .check(
    z.refine(({ error, status }) => error !== undefined || status !== undefined, 'expected "error" or "status"'),
    z.refine(
      ({ error, body, text }) => [error, body, text].filter((one) => one !== undefined).length <= 1,
      'expected only one of "error", "body" and "text"',
    ),
    z.refine(({ error, message }) => error !== undefined || message === undefined, {
      path: ['message'],
      error: 'expected "error" beside it',
    }),
    z.refine(
      ({ error, body, text, status }) =>
        !bodiless.includes(status!) || (error === undefined && body === undefined && text === undefined),
      'expected no "error" and no "body" beside a status that has none',
    ),
  )

/** `respond`: gives a fixed reply in place of the operation's: an error of the catalogue, or a status with headers and a body. */
export const respondEffect = defineEffect({
  name: 'respond',
  schema: z.array(spec),
  create: (specs, activation) =>
    specs.map((spec, index) => ({
      ...createTrigger(spec, `respond.${index}`, activation, 'on operations'),
      act: 'answered instead',
      respond(exchange) {
        const { error, message, status, headers, body, text, in_front = false } = spec
        const reply: Reply = error
          ? exchange.area.toErrorReply(exchange, new ApiError(error, message))
          : text !== undefined
            ? { status: status!, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text }
            : body === undefined
              ? emptyReply(status!)
              : jsonReply(status!, body)
        return {
          status: status ?? reply.status,
          headers: withHeaders(reply.headers, headers),
          body: reply.body,
          bypassesService: in_front,
        }
      },
    })),
})
