import * as z from 'zod/mini'

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that frame a reply. Only adapters set them. */
const framing = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'trailer', 'upgrade', 'te']

export const headerName = z.string().check(
  z.regex(token, 'Invalid header name'),
  z.refine((name) => !framing.includes(name.toLowerCase()), 'Invalid header: Greenhouse sets it itself'),
)

export const headerValue = z.pipe(
  z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
  z.string().check(z.regex(/^[\t\x20-\x7e]*$/, 'Invalid header: expected printable ASCII')),
)

export function withHeaders(
  own: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  let headers: Record<string, string> | undefined
  for (const name in added)
    if (!Object.hasOwn(own, name)) {
      headers = withoutHeaders(own, Object.keys(added))
      break
    }
  // Fast path: a plain copy is many times faster, and most scenarios write names in the same case as replies do.
  headers ??= { ...own }
  for (const name in added) headers[name] = added[name]!
  return headers
}

export function withoutHeaders(
  own: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in own) if (!holdsName(names, name)) headers[name] = own[name]!
  return headers
}

export function hasAny(own: Readonly<Record<string, string>>, names: readonly string[]): boolean {
  if (names.length > 0) for (const name in own) if (holdsName(names, name)) return true
  return false
}

function holdsName(names: readonly string[], wanted: string): boolean {
  for (const name of names)
    if (name === wanted || (name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase())) return true
  return false
}
