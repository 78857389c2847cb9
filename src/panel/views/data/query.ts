import type { RecordsFilter } from '../../data/shapes.ts'

export const pageSize = 50

/** The prefix of the URL parameters that filter by a field. */
export const wherePrefix = 'where.'

/** Reads the table's filter, order and page from the URL parameters. */
export function toQuery(params: Readonly<Record<string, string>>): RecordsFilter {
  const { search, sort } = params
  return {
    search,
    sort,
    where: Object.fromEntries(
      filteredFields(params)
        .map((field) => [field, params[wherePrefix + field]!] as const)
        .filter(([, value]) => value !== ''),
    ),
    limit: pageSize,
    offset: (pageOf(params) - 1) * pageSize,
  }
}

/** Returns the page in the URL, from 1. */
export function pageOf({ page = '' }: Readonly<Record<string, string>>): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

export function filteredFields(params: Readonly<Record<string, string>>): string[] {
  return Object.keys(params)
    .filter((name) => name.startsWith(wherePrefix))
    .map((name) => name.slice(wherePrefix.length))
}
