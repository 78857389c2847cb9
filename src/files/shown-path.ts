import { relative } from 'node:path'

export function toShownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}
