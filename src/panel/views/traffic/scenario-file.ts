import { bodiless } from '../../../core/http/reply.ts'
import { pretty } from '../../components/index.ts'
import { parseAnswer } from '../../data/json.ts'
import type { JournalEntry } from '../../data/shapes.ts'

/** Headers that the service sets, or that belong to one reply; and prefixes of such headers. */
const own = ['content-length', 'content-type', 'x-greenhouse', 'x-request-id', 'date', 'connection', 'vary']
const ownGroups = ['x-ratelimit-', 'access-control-']

function isOwn(header: string): boolean {
  const name = header.toLowerCase()
  return own.includes(name) || ownGroups.some((group) => name.startsWith(group))
}

/** Suggests a file name for the scenario of an entry: `plants-list-429`. */
export function toScenarioName({ operation, response }: JournalEntry): string {
  return `${(operation ?? 'reply').replace(/[^a-z0-9]+/g, '-')}-${response.status === 0 ? 'cut' : response.status}`
}

/** Returns a scenario file that repeats the reply of an entry for every request of its operation. */
export function toScenarioFile(entry: JournalEntry): string {
  const { operation = '*', response, request } = entry
  const about =
    response.status === 0
      ? `${operation} ends without a reply, as ${request.method} did once.`
      : `${operation} is answered with ${response.status}, as ${request.method} was once.`
  return [
    `title: ${JSON.stringify(response.status === 0 ? `${operation} is cut` : `${operation} answers ${response.status}`)}`,
    `description: ${JSON.stringify(about)}`,
    `covers: ${JSON.stringify(response.status >= 400 || response.status === 0 ? 'Coping with this failure.' : 'Showing this reply.')}`,
    ...(response.status === 0 ? toFault(operation) : toRespond(operation, response)),
    '',
  ].join('\n')
}

function toFault(operation: string): string[] {
  return ['fault:', `  - { kind: network-error, on: ${JSON.stringify(operation)} }`]
}

function toRespond(operation: string, { status, headers, body }: JournalEntry['response']): string[] {
  const shown = Object.entries(headers).filter(([name]) => !isOwn(name))
  return [
    'respond:',
    `  - on: ${JSON.stringify(operation)}`,
    `    status: ${status}`,
    ...(shown.length === 0
      ? []
      : ['    headers:', ...shown.map(([name, value]) => `      ${name}: ${JSON.stringify(toLiteral(value))}`)]),
    ...(body === undefined || body === '' || bodiless.has(status) ? [] : toBody(body)),
  ]
}

/** Returns the body as JSON, which is valid YAML too, or as a text. */
function toBody(body: string): string[] {
  try {
    const value = toLiterals(parseAnswer(body))
    return [`    body: ${pretty(value).replaceAll('\n', '\n      ')}`]
  } catch {
    return [`    text: ${JSON.stringify(toLiteral(body))}`]
  }
}

/** Escapes all texts of a value for a scenario. Names of members need no escape. */
function toLiterals(value: unknown): unknown {
  if (typeof value === 'string') return toLiteral(value)
  if (Array.isArray(value)) return value.map(toLiterals)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toLiterals(part)]))
}

/** Escapes `${`, which starts an option, as `$${`. */
function toLiteral(text: string): string {
  return text.replaceAll('${', () => '$${')
}
