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
