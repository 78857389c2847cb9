export function toSecret(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!header.startsWith('Bearer ') && !/^bearer /i.test(header)) return undefined
  return header.slice('bearer '.length).trim() || undefined
}
