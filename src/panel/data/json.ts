import { toJson } from '../../core/http/json.ts'

export function isSameJson(one: unknown, other: unknown): boolean {
  return toJson(one) === toJson(other)
}

export function pretty(value: unknown): string {
  const marks: string[] = []
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? `\u0000${marks.push(String(member)) - 1}` : member),
    2,
  )
  return marks.reduce((whole, number, index) => whole.replace(`"\\u0000${index}"`, number), text ?? '')
}
