export function pretty(value: unknown): string {
  const marks: string[] = []
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? `\u0000${marks.push(String(member)) - 1}` : member),
    2,
  )
  return marks.reduce((whole, number, index) => whole.replace(`"\\u0000${index}"`, number), text ?? '')
}
