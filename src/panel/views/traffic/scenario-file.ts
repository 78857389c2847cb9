import { bodiless, byteLength } from '../../../core/http/reply.ts'
import { parseAnswer, pretty } from '../../data/json.ts'
import type { JournalEntry } from '../../data/shapes.ts'

/** Headers that the service sets, or that belong to one reply; and prefixes of such headers. */
const ownHeaders = ['content-length', 'x-greenhouse', 'x-request-id', 'date', 'connection', 'vary']
const ownGroups = ['x-ratelimit-', 'access-control-']

function isOwnHeader(header: string): boolean {
  const name = header.toLowerCase()
  return ownHeaders.includes(name) || ownGroups.some((group) => name.startsWith(group))
}

export function toScenarioName(entry: JournalEntry): string {
  const { operation = 'reply', response } = entry
  return `${operation.replace(/[^a-z0-9]+/g, '-')}-${isLost(entry) ? 'cut' : response.status}`
}

function isLost({ response, aborted, bytes = 0 }: JournalEntry): boolean {
  return response.status === 0 || (aborted === true && bytes === 0)
}

export function toScenarioFile(entry: JournalEntry): string {
  const { operation = '*', response, request, aborted } = entry
  const lost = isLost(entry)
  const about = lost
    ? `${operation} ends without a reply, as ${request.method} did once.`
    : `${operation} is answered with ${response.status}${aborted ? ', and the reply ends early' : ''}, as ${request.method} was once.`
  return [
    `title: ${JSON.stringify(lost ? `${operation} is cut` : `${operation} answers ${response.status}`)}`,
    `description: ${JSON.stringify(about)}`,
    `covers: ${JSON.stringify(response.status >= 400 || lost || aborted ? 'Coping with this failure.' : 'Showing this reply.')}`,
    ...(lost
      ? toFaults(operation, [`kind: ${response.status === 0 ? 'network-error' : 'timeout'}`])
      : toRespond(operation, entry)),
    '',
  ].join('\n')
}

function toFaults(operation: string, faults: readonly string[]): string[] {
  if (faults.length === 0) return []
  return ['fault:', ...faults.map((fault) => `  - { ${fault}, on: ${JSON.stringify(operation)} }`)]
}

function toRespond(operation: string, { response, aborted }: JournalEntry): string[] {
  const { status, headers, body = '' } = response
  // Without a further byte, a reply that is cut would be whole.
  const [content, usualType] =
    body === '' || bodiless.has(status) ? [[]] : aborted ? toTextBody(`${body} `) : toBody(body)
  const isType = (name: string) => name.toLowerCase() === 'content-type'
  const shown = Object.entries(headers).filter(
    ([name, value]) => !isOwnHeader(name) && !(isType(name) && value === usualType),
  )
  return [
    'respond:',
    `  - on: ${JSON.stringify(operation)}`,
    `    status: ${status}`,
    ...(shown.length === 0
      ? []
      : [
          '    headers:',
          ...shown.map(([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(escapeOptions(value))}`),
        ]),
    ...content,
    ...toFaults(operation, [
      ...(usualType && !Object.keys(headers).some(isType) ? ['kind: headers, remove: [Content-Type]'] : []),
      ...(aborted ? [`kind: truncate, at: ${byteLength(body)}, content_length: lying`] : []),
    ]),
  ]
}

type BodyLines = readonly [lines: string[], usualType?: string]

/** Returns the body as JSON, which is valid YAML too, or as a text; and the Content-Type that it has by itself. */
function toBody(body: string): BodyLines {
  try {
    const value = escapeAll(parseAnswer(body))
    return [[`    body: ${pretty(value).replaceAll('\n', '\n      ')}`], 'application/json']
  } catch {
    return toTextBody(body)
  }
}

function toTextBody(body: string): BodyLines {
  return [[`    text: ${JSON.stringify(escapeOptions(body))}`], 'text/plain; charset=utf-8']
}

function escapeAll(value: unknown): unknown {
  if (typeof value === 'string') return escapeOptions(value)
  if (Array.isArray(value)) return value.map(escapeAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, escapeAll(part)]))
}

/** Escapes `${`, which starts an option, as `$${`. */
function escapeOptions(text: string): string {
  return text.replaceAll('${', () => '$${')
}
