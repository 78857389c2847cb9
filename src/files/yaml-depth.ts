import { Lexer } from 'yaml'

/** Where a text has more levels than `deepest`. None is built to tell: the lexer does not recurse. */
export function findTooDeep(text: string, deepest: number): { line: number; column: number } | undefined {
  let depth = 0
  let indicators = 0
  let line = 1
  let column = 1
  let isText = false
  for (const token of new Lexer().lex(text)) {
    if (isText || /^["']/.test(token)) isText = false
    else if (token === scalarFollows) isText = true
    else if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1)
    else if (token === '-' || token === '?') indicators++
    else if (depth === 0 && /^ +$/.test(token) && column === 1 && token.length > 2 * deepest)
      return { line, column: 2 * deepest }
    if (depth > deepest || indicators > deepest) return { line, column }
    for (const part of token.split(/(\n)/)) {
      if (part !== '\n') column += isMark.test(part) ? 0 : part.length
      else {
        line++
        column = 1
        indicators = 0
      }
    }
  }
  return undefined
}

/** What the lexer puts before the text of a scalar without quotes. */
const scalarFollows = '\x1f'

/** What the lexer adds to the text. */
// eslint-disable-next-line no-control-regex
const isMark = /^[\x02\x18\x1f]$/
