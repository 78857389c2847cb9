/** Formats a whole number as an English ordinal: `1st`, `2nd`, `3rd`, `11th`. */
export function toOrdinal(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}
