/** What an object or an array takes besides what it holds, and what each of its members adds, in bytes. */
const objectWeight = 24
const memberWeight = 8

/** Texts up to this length count two bytes a character without a look at them. */
const shortText = 64

/** How many bytes of memory a value of plain data takes, roughly. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return textWeight(value)
  if (typeof value !== 'object' || value === null) return 0
  let weight = objectWeight
  for (const name in value) weight += memberWeight + weightOf((value as Record<string, unknown>)[name])
  return weight
}

/** How many bytes of memory a text takes: one a character where all of them are Latin-1, else two. */
export function textWeight(text: string): number {
  return objectWeight + (text.length <= shortText || /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}
