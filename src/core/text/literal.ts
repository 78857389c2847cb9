import { toVisibleJson } from './messages.ts'

/**
 * Writes data as a literal of JavaScript and TypeScript, with names unquoted where possible. Nothing in the data can end the literal, its
 * line, a comment around it or a script element. Long lists and objects take several lines.
 */
export function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toText(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || isNumber(value)) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => toLiteral(part, inner))
    : Object.entries(value).flatMap(([name, part]) =>
        part === undefined ? [] : `${toName(name)}: ${toLiteral(part, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const space = open === '{' && parts.length > 0 ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= longest && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const longest = 100

/** Whether a value is an exact number of our JSON reader, and not data with such a field. */
function isNumber(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function toText(text: string): string {
  const escaped = toVisibleJson(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped.replace(/([*<])(?=[/!])/g, '$1\\')}'`
}

function toName(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[a-z_$][\w$]*$/i.test(name) ? name : toText(name)
}
