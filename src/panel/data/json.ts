import { JsonError, parseJson, toJson } from '../../core/http/json.ts'

/** Parses JSON of the control API, with integers of 64 bits as bigints. @throws SyntaxError */
export function parseAnswer(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  try {
    return parseJson(text)
  } catch (error) {
    // `parseJson` refuses very long texts, such as a whole journal. Their long runs of digits are within strings.
    if (error instanceof JsonError) return JSON.parse(text)
    throw error
  }
}

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

export function parseTypedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof JsonError ? new Error('This is not valid JSON yet.') : error
  }
}
