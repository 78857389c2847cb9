export function toOrdinal(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}
