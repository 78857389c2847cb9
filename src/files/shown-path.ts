import { relative } from 'node:path'

/** Returns a path to show: relative for a file below the working directory, otherwise unchanged. */
export function toShownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}
