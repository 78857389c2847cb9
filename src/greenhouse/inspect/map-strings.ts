/** Returns a copy of JSON data with every string replaced. @param replace gets a string and the name of its field. */
export function mapStrings(value: unknown, replace: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string') return replace(value, name)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, name))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, mapStrings(part, replace, field)]))
}
