import { JsonError, parseJson } from '../../core/http/json.ts'

/** Parses JSON of the control API, integers of 64 bits exact. @throws SyntaxError */
export function parseAnswer(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  try {
    return parseJson(text)
  } catch (error) {
    // It refuses texts as long as a whole journal, whose numbers are short: the long ones stand in texts.
    if (error instanceof JsonError) return JSON.parse(text)
    throw error
  }
}
