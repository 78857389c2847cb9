import * as z from 'zod/mini'
import { ApiError, errors, type ErrorCode } from '../../core/contract/errors.ts'
import { bodiless, emptyReply, jsonReply, type Reply } from '../../core/http/reply.ts'
import { defineEffect, setHeaders } from '../language/effect-kind.ts'
import { optional } from '../../core/contract/zod.ts'
import { countGiven, headerFields } from '../language/fields.ts'

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

export const respondEffect = defineEffect({
  name: 'respond',
  description: 'Sends a fixed reply. The key is not checked, and the operation does not run.',
  actsOn: 'operations',
  fields: {
    error: optional(z.enum(codes), "An error code. The body has the area's error shape."),
    message: optional(z.string(), 'The message of the error.'),
    status: optional(
      z.int().check(z.gte(200), z.lte(599)),
      'The status. Beside an error, it replaces the status of the error.',
    ),
    headers: optional(
      headerFields,
      'Headers by name; they replace headers of the same name. A list is sent as several headers.',
    ),
    body: optional(z.unknown(), 'A JSON body.'),
    text: optional(z.string(), 'A text body, sent unchanged.'),
    in_front: optional(
      z.boolean(),
      'Whether a proxy in front of the service answers, without the headers of the service.',
    ),
  },
  check({ error, message, status, body, text }) {
    const contents = countGiven(error, body, text)
    if (error === undefined && status === undefined) return 'expected "error" or "status"'
    if (contents > 1) return 'expected only one of "error", "body" and "text"'
    if (error === undefined && message !== undefined)
      return [
        {
          path: ['message'],
          message: 'expected "error" beside it',
        },
      ]
    if (bodiless.has(status ?? 0) && contents > 0)
      return 'expected no "error" and no "body": a reply with this status has no body'
    return undefined
  },
  create: ({ error, message, status, headers, body, text, in_front = false }) => ({
    did: 'answered instead',
    respond(exchange) {
      const reply = error
        ? exchange.toErrorReply(new ApiError(error, message))
        : toFixedReply(text, body)
      const sent = {
        ...setHeaders(reply, headers),
        bypassesService: in_front,
      }
      if (status === undefined) return sent
      return { ...sent, status }
    },
  }),
})

function toFixedReply(text: string | undefined, body: unknown): Reply {
  if (text === undefined) return body === undefined ? emptyReply(200) : jsonReply(200, body)
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: text,
  }
}
