/** A value as a text that is the same for values that are the same, large integers among them. */
export function toComparable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}
