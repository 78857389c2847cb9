import type { RecordsFilter } from '../../data/shapes.ts'

export const pageSize = 50

export const wherePrefix = 'where.'

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

export function pageOf({ page = '' }: Readonly<Record<string, string>>): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

export function filteredFields(params: Readonly<Record<string, string>>): string[] {
  return Object.keys(params)
    .filter((name) => name.startsWith(wherePrefix))
    .map((name) => name.slice(wherePrefix.length))
}

export const recordEvents = ['records', 'keys'] as const
