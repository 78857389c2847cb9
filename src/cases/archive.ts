import * as z from 'zod/mini'
import type { Greenhouse } from '../api/greenhouse.ts'
import { DataError } from '../core/contract/problem.ts'
import { read as readShape } from '../core/store/validation-message.ts'
import { toIso, toTimestamp } from '../core/time/time-text.ts'
import { assertCase, caseTime, caseVersion, readJson } from './format.ts'
import type { Case, CaseStep } from './generated/case.ts'

export interface ArchivedCase {
  readonly given: Case
  /** How many requests of an archive are not for this service. */
  readonly leftOut: number
}

const text = z.nullish(z.string())

/** The parts of an entry of an HTTP Archive (HAR 1.2) that a case needs. */
const entrySchema = z.looseObject({
  startedDateTime: caseTime,
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.nullish(z.array(z.looseObject({ name: z.string(), value: z.string() }))),
    postData: z.nullish(
      z.looseObject({ text, params: z.nullish(z.array(z.looseObject({ name: text, value: text }))) }),
    ),
  }),
  response: z.looseObject({ status: z.int(), content: z.nullish(z.looseObject({ text, encoding: text })) }),
})

const archiveSchema = z.looseObject({ log: z.looseObject({ entries: z.array(entrySchema) }) })

/** Headers that browsers and proxies add, and the service does not need; and the key, which is added again. */
const replacedHeaders =
  /^(:.*|authorization|host|connection|content-length|cookie|sec-.*|accept-encoding|transfer-encoding)$/i

/** @throws DataError; RangeError for an archive without a request for the service. */
export function toCaseOfArchive(data: unknown, file: string, greenhouse: Greenhouse): ArchivedCase {
  const result = readShape(archiveSchema, data)
  if (!('data' in result))
    throw new DataError(
      'the archive',
      result.findings.map((finding) => ({ file, ...finding })),
    )
  const { entries } = result.data.log
  const { keys } = greenhouse.world().records
  const unrestricted = keys.all().find(({ scopes, revoked, expires_at }) => !scopes && !revoked && !expires_at)
  // Browsers leave the key out of archives.
  const toKey = (sent = '') =>
    keys.get(sent.replace(/^Bearer /i, '')) ? sent : `Bearer ${unrestricted?.secret ?? 'key'}`
  const steps = entries.flatMap((entry) => toStep(entry, greenhouse, toKey) ?? [])
  const [first] = steps
  if (!first)
    throw new RangeError(`None of the ${entries.length} requests in the archive is for an operation of this service.`)
  steps.sort((one, other) => toTimestamp(one.at!) - toTimestamp(other.at!))
  const given: Case = { case: caseVersion, start: { now: steps[0]!.at!, frozen: true }, steps }
  assertCase(given, 'archive')
  return { given, leftOut: entries.length - steps.length }
}

function toStep(
  { startedDateTime, request, response }: z.infer<typeof entrySchema>,
  greenhouse: Greenhouse,
  toKey: (sent: string | undefined) => string,
): CaseStep | undefined {
  const target = URL.canParse(request.url) ? toTarget(new URL(request.url), request.method, greenhouse) : undefined
  if (target === undefined) return undefined
  const kept = (request.headers ?? []).filter(({ name }) => !replacedHeaders.test(name))
  const sent = request.headers?.find(({ name }) => /^authorization$/i.test(name))?.value
  const { text = '', encoding } = response.content ?? {}
  const isBinary = encoding === 'base64'
  const read = isBinary ? undefined : readJson(text ?? undefined)
  const { text: body, params } = request.postData ?? {}
  // Of a form, some programs write the fields alone.
  const sentText = body || String(new URLSearchParams(params?.map(({ name, value }) => [name ?? '', value ?? ''])))
  return {
    at: toIso(toTimestamp(startedDateTime)),
    request: `${request.method} ${target}`,
    headers: { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), authorization: toKey(sent) },
    ...(sentText && { text: sentText }),
    // Playwright writes -1 for a request without a reply.
    reply: {
      status: Math.max(response.status, 0),
      ...(text && !isBinary && (read ? { body: read.value } : { text })),
    },
  }
}

function toTarget({ pathname, search }: URL, method: string, greenhouse: Greenhouse): string | undefined {
  const starts = Array.from(pathname.matchAll(/\//g), ({ index }) => index)
  const start = starts.find((at) => greenhouse.hasOperation(method, pathname.slice(at)))
  return start === undefined ? undefined : pathname.slice(start) + search
}
