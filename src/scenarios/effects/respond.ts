import * as z from 'zod/mini'
import { ApiError, errors, type ErrorCode } from '../../core/errors.ts'
import { emptyReply, jsonReply } from '../../core/reply.ts'
import { on, operationFilter } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]
const bodiless = [204, 205, 304]
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What says where a reply ends is the adapters' to send. */
const framing = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'trailer', 'upgrade', 'te']
const headerName = z.string().check(
  z.regex(token, 'Invalid header name'),
  z.refine((name) => !framing.includes(name.toLowerCase()), 'Invalid header: it is sent as the reply needs it'),
)
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
      headers: z.optional(z.record(headerName, headerValue)),
      body: z.optional(z.unknown()),
    }).check(
      z.refine(({ error, status }) => error !== undefined || status !== undefined, 'expected "error" or "status"'),
      z.refine(({ error, body, status }) => !bodiless.includes(status!) || (error === undefined && body === undefined), 'expected no "error" and no "body" beside a status that has none'),
    ),
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
          return { status: status ?? reply.status, headers: withHeaders(reply.headers, headers), body: reply.body }
        },
      }
    }),
})

/** Names of headers know no case: one of the scenario's takes the place of the reply's own. */
function withHeaders(own: Readonly<Record<string, string>>, added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const names = Object.keys(added).map((name) => name.toLowerCase())
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name.toLowerCase()))), ...added }
}
