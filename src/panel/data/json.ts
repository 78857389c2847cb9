import { JsonError, parseJson, parseTrustedJson, toJson } from '../../core/http/json.ts'

/** Parses JSON of any origin, a body that a client sent among them. @throws SyntaxError */
export function parseAnswer(text: string): unknown {
  try {
    return parseTrustedJson(text)
  } catch {
    // Its numbers are beyond what Greenhouse accepts, or it is not JSON.
    return JSON.parse(text)
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
