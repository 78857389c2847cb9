import { toIso, toTimestamp } from '../../core/time/time-text.ts'
import { assertCase, caseVersion } from './format.ts'
import type { Case, CaseStep } from './types.ts'

/** The parts of an HTTP Archive (HAR 1.2) that a case needs. */
interface Archive {
  readonly log: { readonly entries: readonly ArchiveEntry[] }
}

interface ArchiveEntry {
  readonly startedDateTime: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly Pair[]
    readonly postData?: { readonly text?: string; readonly params?: readonly Partial<Pair>[] }
  }
  readonly response: {
    readonly status: number
    readonly content?: { readonly text?: string; readonly encoding?: string }
  }
}

interface Pair {
  readonly name: string
  readonly value: string
}

/** Headers that browsers and proxies add, and the service does not need. */
const transportHeaders = /^(:.*|host|connection|content-length|cookie|sec-.*|accept-encoding|transfer-encoding)$/i

/** Whether a value looks like an HTTP Archive. */
export function isArchive(value: unknown): value is Archive {
  return Array.isArray((value as Archive | null)?.log?.entries)
}

/** A case made from an archive, and how many of its requests were for other services. */
interface CaseOfArchive {
  readonly given: Case
  readonly leftOut: number
}

/**
 * Converts an archive to a case. @param isOurs whether an operation has this method and path. @param toKey returns the
 * Authorization to send: browsers leave it out of archives. @throws RangeError for an archive without a request for the service.
 */
export function toCaseOfArchive(
  { log: { entries } }: Archive,
  isOurs: (method: string, path: string) => boolean,
  toKey: (sent: string | undefined) => string,
): CaseOfArchive {
  const steps = entries.flatMap((entry) => toStep(entry, isOurs, toKey) ?? [])
  const [first] = steps
  if (!first)
    throw new RangeError(`None of the ${entries.length} requests in the archive is for an operation of this service.`)
  steps.sort((one, other) => toTimestamp(one.at!) - toTimestamp(other.at!))
  const given: Case = { case: caseVersion, start: { now: steps[0]!.at!, frozen: true }, steps }
  assertCase(given, 'archive')
  return { given, leftOut: entries.length - steps.length }
}

function toStep(
  { startedDateTime, request, response }: ArchiveEntry,
  isOurs: (method: string, path: string) => boolean,
  toKey: (sent: string | undefined) => string,
): CaseStep | undefined {
  const target = URL.canParse(request.url) ? toTarget(new URL(request.url), request.method, isOurs) : undefined
  if (target === undefined) return undefined
  const kept = (request.headers ?? []).filter(
    ({ name }) => !transportHeaders.test(name) && !/^authorization$/i.test(name),
  )
  const sent = request.headers?.find(({ name }) => /^authorization$/i.test(name))?.value
  const { text = '', encoding } = response.content ?? {}
  const sentText = toSentText(request.postData)
  return {
    at: toIso(toTimestamp(startedDateTime)),
    request: `${request.method} ${target}`,
    headers: { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), authorization: toKey(sent) },
    ...(sentText !== '' && { text: sentText }),
    // Playwright writes -1 for a request without a reply.
    reply: { status: Math.max(response.status, 0), ...(text !== '' && encoding !== 'base64' && toBody(text)) },
  }
}

/** Returns the text of a request's body; of a form, some programs write the fields alone. */
function toSentText({ text = '', params = [] }: NonNullable<ArchiveEntry['request']['postData']> = {}): string {
  return text || new URLSearchParams(params.map(({ name = '', value = '' }) => [name, value])).toString()
}

/** Returns the path and query below the service's root, wherever the root is; `undefined` if the URL is another service's. */
function toTarget(
  { pathname, search }: URL,
  method: string,
  isOurs: (method: string, path: string) => boolean,
): string | undefined {
  const starts = Array.from(pathname.matchAll(/\//g), ({ index }) => index)
  const start = starts.find((at) => isOurs(method, pathname.slice(at)))
  return start === undefined ? undefined : pathname.slice(start) + search
}

function toBody(text: string): Pick<CaseStep, 'body' | 'text'> {
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { text }
  }
}
