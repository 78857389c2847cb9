/** Formats a count: `1 variant`, `12 variants`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats how often something happens: `once`, `12 times`. */
export function countTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
