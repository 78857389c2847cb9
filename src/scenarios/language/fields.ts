import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/time-text.ts'

export function oneOrMore<Schema extends z.ZodMiniType>(schema: Schema, message: string) {
  return z.union([schema, z.array(schema).check(z.minLength(1))], message)
}

/** Counts the fields that are given, of several that exclude one another. */
export function countGiven(...fields: unknown[]): number {
  return fields.filter((field) => field !== undefined).length
}

export const durationSchema = durationThat(
  (value) => toMilliseconds(value) >= 0,
  'expected a duration, such as "90s", "5m", "2h" or "1d"',
)

export function durationThat(holds: (value: string | number) => boolean, message: string) {
  return z.union([z.string(), z.number()]).check(
    z.refine((value) => {
      try {
        return holds(value)
      } catch {
        return false
      }
    }, message),
  )
}

/** Matches the name of any header. */
export const headerToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'expected base64'))

/** Headers that frame a message: of a reply, only adapters set them. */
export const framingHeaders = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
  'te',
]

export const headerName = z.string().check(
  z.regex(headerToken, 'Invalid header name'),
  z.refine(
    (name) => !framingHeaders.includes(name.toLowerCase()),
    'Invalid header: Greenhouse sets it itself',
  ),
)

const headerValue = z.pipe(
  z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
  z.string().check(z.regex(/^[\t\x20-\x7e]*$/, 'Invalid header: expected printable ASCII')),
)

export const headerFields = z.record(
  headerName,
  oneOrMore(headerValue, 'expected a string or a number, or a list of them'),
)
