import { parseTrustedJson } from '../core/http/json.ts'
import { bodiless, byteLength } from '../core/http/reply.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { toYamlText } from '../fixtures/yaml-text.ts'
import { globFilter } from '../core/text/values.ts'

type Members = Readonly<Record<string, unknown>>

export function toScenarioFile(entry: JournalEntry): string {
  const { operation = '*', response, request, aborted, bytes = 0 } = entry
  const isLost = response.status === 0 || (aborted === true && bytes === 0)
  const end = aborted ? ', and the reply ends early' : ''
  const lines = toLines({
    title: isLost ? `${operation} is cut` : `${operation} answers ${response.status}`,
    description: isLost
      ? `${operation} ends without a reply, as ${request.method} did once.`
      : `${operation} is answered with ${response.status}${end}, as ${request.method} was once.`,
    covers: response.status >= 400 || isLost || aborted ? 'Coping with this failure.' : 'Showing this reply.',
  })
  if (!isLost) return [...lines, ...toRespond(operation, entry), ''].join('\n')
  return [...lines, ...toFaults(operation, { kind: response.status === 0 ? 'network-error' : 'timeout' }), ''].join(
    '\n',
  )
}

function toLines(members: Members): string[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${toYamlText(value)}`)
}

function toFaults(on: string, ...faults: readonly Members[]): string[] {
  return faults.length === 0 ? [] : ['fault:', ...faults.map((fault) => `  - ${toYamlText({ ...fault, on })}`)]
}

function toRespond(on: string, { response, aborted }: JournalEntry): string[] {
  const { status, headers, body = '' } = response
  // Without a further byte, a reply that is cut would be whole.
  const [content, usualType] =
    body === '' || bodiless.has(status) ? [{}] : aborted ? toTextContent(`${body} `) : toContent(body)
  const isType = (name: string) => name.toLowerCase() === 'content-type'
  const sent = Object.entries(headers).filter(
    ([name, value]) => !isOwnHeader(name.toLowerCase()) && !(isType(name) && value === usualType),
  )
  const [first, ...rest] = toLines({
    on,
    status,
    headers: sent.length > 0 ? escapeOptions(Object.fromEntries(sent)) : undefined,
    ...content,
  })
  const lacksType = usualType !== undefined && !Object.keys(headers).some(isType)
  return [
    'respond:',
    `  - ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...toFaults(
      on,
      ...(lacksType ? [{ kind: 'headers', remove: ['Content-Type'] }] : []),
      ...(aborted ? [{ kind: 'truncate', at: byteLength(body), content_length: 'lying' }] : []),
    ),
  ]
}

/** Headers that the service sets, or that belong to one reply. */
const isOwnHeader = globFilter([
  'content-length',
  'x-greenhouse',
  'x-request-id',
  'date',
  'connection',
  'vary',
  'x-ratelimit-*',
  'access-control-*',
])

/** The body as JSON or as a text, and the Content-Type that it has by itself. */
type Content = readonly [content: Members, usualType?: string]

function toContent(body: string): Content {
  try {
    return [{ body: escapeOptions(parseTrustedJson(body)) }, 'application/json']
  } catch {
    return toTextContent(body)
  }
}

function toTextContent(body: string): Content {
  return [{ text: escapeOptions(body) }, 'text/plain; charset=utf-8']
}

/** Escapes `${`, which starts an option, in all texts of a value. */
function escapeOptions(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(escapeOptions)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, escapeOptions(part)]))
}
