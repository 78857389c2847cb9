/** The most items of a list in one answer. */
export const maxListed = 1_000

interface Page {
  readonly limit: number
  readonly offset: number
}

export function toListPage<T, Shown>(
  items: readonly T[],
  { limit, offset }: Page,
  show: (item: T) => Shown,
) {
  return { data: items.slice(offset, offset + limit).map(show), total: items.length }
}
