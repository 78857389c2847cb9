import type { JournalEntry } from '../core/journal.ts'
import type { Greenhouse } from '../greenhouse.ts'

/** How long lines wait for company, in milliseconds: one write for many is what makes the log cheap. */
const patience = 50

/** How much may wait for a reader that does not read, in bytes; what comes then is counted and dropped. */
const mostUnread = 2 ** 20

/** How long a reader may take for the last lines, in milliseconds. */
const lastWait = 200

/** Prints a line for every request of every world, for people or as JSON. Returns what prints the last ones and ends the log. */
export function logRequests(greenhouse: Greenhouse, format: 'pretty' | 'json', stream: NodeJS.WriteStream): () => void {
  const [toLine, toDropped] = format === 'json' ? [toJsonLine, toJsonDropped] : [toPrettyLine, toPrettyDropped]
  let dropped = 0
  let waiting: JournalEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    if (stream.writableLength > mostUnread) dropped += entries.length
    else if (entries.length > 0) {
      stream.write((dropped > 0 ? toDropped(dropped) : '') + entries.map(toLine).join(''))
      dropped = 0
    }
  }
  const unsubscribe = greenhouse.subscribe((entry) => {
    waiting.push(entry)
    timer ??= setTimeout(flush, patience)
  })
  return () => {
    unsubscribe()
    flush()
    if (stream.writableLength > 0) setTimeout(() => process.exit(), lastWait).unref()
  }
}

const toJsonDropped = (requests: number) => JSON.stringify({ event: 'dropped', requests }) + '\n'

const toPrettyDropped = (requests: number) => `${requests} requests are not shown: nobody read what was printed before.\n`

/** The journal's entry without headers and bodies. */
function toJsonLine({ id, at, operation, world, request, response, scenarios, assumptions, near_misses, ms }: JournalEntry): string {
  return (
    JSON.stringify({
      event: 'request',
      id,
      at,
      operation,
      world,
      request: { method: request.method, url: withoutSecrets(request.url) },
      response: { status: response.status },
      scenarios,
      assumptions,
      near_misses,
      ms,
    }) + '\n'
  )
}

/** `12:00:30 GET /plants?limit=3 200 plants.list`, and where there is no such operation the ones that are close. */
function toPrettyLine({ at, operation, world, request, response, scenarios, near_misses = [] }: JournalEntry): string {
  const asked = `${request.method} ${printable(withoutSecrets(request.url))}`
  const words = [at.slice(11, 19), response.status, asked]
  if (operation !== undefined) words.push(operation)
  if (world !== 'default' && !request.url.startsWith(`/~${world}/`)) words.push(`in ${world}`)
  if (scenarios.length > 0) words.push(`by ${scenarios.join(', ')}`)
  const meant = near_misses.map(({ method, path, operation: id }) => `${method} ${path} (${id})`)
  if (meant.length > 0) words.push(`— did you mean ${meant.join(' or ')}?`)
  return words.join(' ') + '\n'
}

/** Nothing in a URL is an escape sequence of a terminal. */
function printable(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, encodeURIComponent)
}

/** A key in a query is a mistake, and none to print. */
function withoutSecrets(url: string): string {
  return url.includes('?') ? url.replace(/([?&][^=&]*(?:key|token|secret|password|auth)[^=&]*=)[^&]*/gi, '$1[hidden]') : url
}
