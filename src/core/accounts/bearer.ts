/** The key of an `Authorization: Bearer <key>` header; `undefined` when there is none. */
export function toSecret(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const secret = header.slice(7).trim()
  return secret !== '' && /^bearer /i.test(header) ? secret : undefined
}
