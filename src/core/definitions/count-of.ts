export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function countTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
