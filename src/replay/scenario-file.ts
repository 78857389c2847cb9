import { bodiless, byteLength } from '../core/http/reply.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { toYamlLines } from '../output/yaml-text.ts'
import { globFilter, type Fields } from '../core/text/values.ts'
import { readJson } from '../cases/content.ts'
import { escapeOptions } from '../scenarios/language/options.ts'

export function toScenarioFile(entry: JournalEntry): string {
  const lines = toYamlLines(
    toScenarioData(entry),
    (name) => name === 'respond' || name === 'fault',
    (effect) => 'status' in effect,
  )
  return [...lines, ''].join('\n')
}

const ofFailure = 'Coping with this failure.'

function toScenarioData(entry: JournalEntry): object {
  const { operation: on = '*', response, request, aborted = false, bytes = 0 } = entry
  const { status } = response
  if (status === 0 || (aborted && bytes === 0))
    return {
      title: `${on} is cut`,
      description: `${on} ends without a reply, as ${request.method} did once.`,
      covers: ofFailure,
      fault: [{ kind: status === 0 ? 'network-error' : 'timeout', on }],
    }
  const end = aborted ? ', and the reply ends early' : ''
  return {
    title: `${on} answers ${status}`,
    description: `${on} is answered with ${status}${end}, as ${request.method} was once.`,
    covers: status >= 400 || aborted ? ofFailure : 'Showing this reply.',
    ...toEffects(on, entry),
  }
}

function toEffects(on: string, { response, aborted }: JournalEntry): Fields {
  const { status, headers, repeated = {}, body = '' } = response
  const isEmpty = body === '' || bodiless.has(status)
  const [content, usualType] = isEmpty ? [{}] : toReplyContent(body, aborted)
  const isType = (name: string) => name.toLowerCase() === 'content-type'
  const sent = Object.entries(headers).filter(
    ([name, value]) => !isOwnHeader(name.toLowerCase()) && !(isType(name) && value === usualType),
  )
  const values = Object.fromEntries(sent.map(([name, value]) => [name, repeated[name] ?? value]))
  const fault: object[] = []
  if (usualType !== undefined && !Object.keys(headers).some(isType))
    fault.push({
      kind: 'headers',
      remove: ['Content-Type'],
      on,
    })
  if (aborted)
    fault.push({
      kind: 'truncate',
      at: byteLength(body),
      content_length: 'lying',
      on,
    })
  const written = sent.length > 0 ? escapeOptions(values) : undefined
  const respond = [{ on, status, headers: written, ...content }]
  return {
    respond,
    fault: fault.length > 0 ? fault : undefined,
  }
}

const ownHeaders =
  'content-length x-greenhouse x-request-id date connection vary x-ratelimit-* access-control-*'
const isOwnHeader = globFilter(ownHeaders.split(' '))

/** The body as JSON or as a text, and the Content-Type that it has by itself. */
type ReplyContent = readonly [content: Fields, usualType?: string]

function toReplyContent(body: string, isCut = false): ReplyContent {
  // A cut reply gets one more byte, or it would be whole.
  if (isCut) return toTextContent(`${body} `)
  const read = readJson(body)
  if (read) return [{ body: escapeOptions(read.value) }, 'application/json']
  return toTextContent(body)
}

function toTextContent(body: string): ReplyContent {
  return [{ text: escapeOptions(body) }, 'text/plain; charset=utf-8']
}
