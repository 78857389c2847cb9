/** Returns a copy of JSON data with every string replaced, those in lists and objects too; names of fields stay. */
export function mapStrings(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapStrings(part, replace)]))
}
