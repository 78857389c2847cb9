import { relative } from 'node:path'

/** Returns a path to show: relative to the working directory, if it is below it. */
export function toShownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}
