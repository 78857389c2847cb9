import type { RecordsFilter } from '../../data/shapes.ts'

/** How many records stand on one page. */
export const pageSize = 50

/** Begins the parameters that say what a field must be. */
export const wherePrefix = 'where.'

/** The part of the URL that describes the table: filter, order and page. */
export function toQuery(params: Readonly<Record<string, string>>): RecordsFilter {
  const { search, sort } = params
  return {
    ...(search !== undefined && { search }),
    ...(sort !== undefined && { sort }),
    where: Object.fromEntries(
      filteredFields(params)
        .map((field) => [field, params[wherePrefix + field]!] as const)
        .filter(([, value]) => value !== ''),
    ),
    limit: pageSize,
    offset: (pageOf(params) - 1) * pageSize,
  }
}

/** The page that the URL names; the first one is 1. */
export function pageOf({ page = '' }: Readonly<Record<string, string>>): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

/** The fields that the URL says something of. */
export function filteredFields(params: Readonly<Record<string, string>>): string[] {
  return Object.keys(params)
    .filter((name) => name.startsWith(wherePrefix))
    .map((name) => name.slice(wherePrefix.length))
}
