import { hasOperation } from '../core/pipeline/router.ts'
import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { anyText } from '../core/contract/zod.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { DataError } from '../core/contract/problem.ts'
import { type Finding, readBySchema } from '../core/store/validation-message.ts'
import { globFilter } from '../core/text/values.ts'
import { toIso, toTimestamp } from '../core/time/time-text.ts'
import { readJson } from '../cases/content.ts'
import { caseStepSchema, caseTime, caseVersion } from '../cases/format.ts'
import type { Case, CaseReply, CaseStep } from '../cases/generated/case.ts'
import { connectionHeaders } from './test-code.ts'

export interface ArchivedCase {
  readonly given: Case
  /** The requests of an archive that the case does not have: how many, by reason. */
  readonly leftOut: readonly LeftOut[]
}

interface LeftOut {
  readonly reason: string
  readonly requests: number
}

const text = z.nullish(anyText)

/** The parts of an entry of an HTTP Archive (HAR 1.2) that a case needs. */
const entrySchema = z.looseObject({
  startedDateTime: caseTime,
  request: z.looseObject({
    method: anyText,
    url: anyText,
    headers: z.nullish(
      z.array(
        z.looseObject({
          name: anyText,
          value: anyText,
        }),
      ),
    ),
    postData: z.nullish(
      z.looseObject({
        text,
        params: z.nullish(
          z.array(
            z.looseObject({
              name: text,
              value: text,
            }),
          ),
        ),
      }),
    ),
  }),
  response: z.nullish(
    z.looseObject({
      status: z.nullish(z.int()),
      content: z.nullish(
        z.looseObject({
          text,
          encoding: text,
        }),
      ),
    }),
  ),
})

type HarContent = NonNullable<z.infer<typeof entrySchema>['response']>['content']

const archiveSchema = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) })

const forOthers = 'for other services'

/**
 * Headers that browsers and proxies add, and the service does not need; and the key, which is added
 * again.
 */
const isReplaced = globFilter([...connectionHeaders, ':*', 'authorization', 'cookie', 'sec-*'])

/** A request of an archive, as a step. */
interface ArchivedStep extends CaseStep {
  at: string
}

/** @throws DataError; RangeError for an archive without a request for the service. */
export function toCaseOfArchive(data: unknown, file: string, greenhouse: Greenhouse): ArchivedCase {
  const result = readBySchema(archiveSchema, data)
  if (!('data' in result))
    throw new DataError(
      'the archive',
      result.findings.map((finding) => ({ file, ...finding })),
    )
  const { entries } = result.data.log
  const toKey = createKeyFinder(greenhouse)
  const steps: ArchivedStep[] = []
  const reasons = new Map<string, number>()
  for (const entry of entries) {
    const step = toCaseStep(entry, greenhouse, toKey)
    if (typeof step === 'string') reasons.set(step, (reasons.get(step) ?? 0) + 1)
    else steps.push(step)
  }
  const leftOut = Array.from(reasons, ([reason, requests]) => ({ reason, requests }))
  steps.sort((one, other) => toTimestamp(one.at) - toTimestamp(other.at))
  const [first] = steps
  if (!first) {
    const none = `None of the ${entries.length} requests in the archive is for an operation of this service`
    const why = leftOut.map(({ reason, requests }) => `${requests} ${reason}`)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `${[none, why.join(', ')].filter(Boolean).join(': ')}.`,
    )
  }
  const start = {
    now: first.at,
    frozen: true,
  }
  return {
    given: {
      case: caseVersion,
      start,
      steps,
    },
    leftOut,
  }
}

/** Browsers leave the key out of archives: returns a function that adds one without limits. */
function createKeyFinder(greenhouse: Greenhouse): (sent: string | undefined) => string {
  const { keys } = greenhouse.world().records
  const unrestricted = keys
    .all()
    .find(({ scopes, revoked, expires_at }) => !scopes && !revoked && !expires_at)
  return (sent = '') => {
    if (keys.get(sent.replace(/^Bearer /i, ''))) return sent
    return `Bearer ${unrestricted?.secret ?? 'key'}`
  }
}

/** Returns why an entry is left out, if it is none for this service, or cannot be repeated. */
function toCaseStep(
  entry: unknown,
  greenhouse: Greenhouse,
  toKey: (sent: string | undefined) => string,
): ArchivedStep | string {
  const read = readBySchema(entrySchema, entry)
  if (!('data' in read)) return whyNotRepeated(read.findings[0])
  const { startedDateTime, request, response } = read.data
  if (!URL.canParse(request.url)) return forOthers
  const target = toTarget(new URL(request.url), request.method, greenhouse)
  if (target === undefined) return forOthers
  const sent = request.headers?.find(({ name }) => /^authorization$/i.test(name))?.value
  const { text: body, params } = request.postData ?? {}
  // Some programs write the fields of a form alone.
  const sentText =
    body || String(new URLSearchParams(params?.map(({ name, value }) => [name ?? '', value ?? ''])))
  const step: ArchivedStep = {
    at: toIso(toTimestamp(startedDateTime)),
    request: `${request.method} ${target}`,
    headers: {
      ...toCaseHeaders(request.headers ?? []),
      authorization: toKey(sent),
    },
  }
  if (sentText) step.text = sentText
  // A request without a reply has nothing to compare with. Browsers write 0 then, Playwright -1.
  if (response?.status && response.status > 0)
    step.reply = toCaseReply(response.status, response.content)
  const [wrong] = readBySchema(caseStepSchema, step).findings
  return wrong ? whyNotRepeated(wrong) : step
}

function whyNotRepeated({ path, message }: Finding): string {
  return `that cannot be repeated (${path.join('.') || 'entry'} ${message})`
}

function toCaseHeaders(
  given: readonly {
    readonly name: string
    readonly value: string
  }[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { name, value } of given) {
    if (isReplaced(name.toLowerCase())) continue
    headers[name] = [headers[name] ?? [], value].flat().join(', ')
  }
  return headers
}

function toCaseReply(status: number, content: HarContent): CaseReply {
  const { text, encoding } = content ?? {}
  if (!text || encoding === 'base64') return { status }
  const read = readJson(text)
  if (read)
    return {
      status,
      body: read.value,
    }
  return { status, text }
}

function toTarget(
  { pathname, search }: URL,
  method: string,
  greenhouse: Greenhouse,
): string | undefined {
  const starts = Array.from(pathname.matchAll(/\//g), ({ index }) => index)
  const start = starts.find((at) =>
    hasOperation(greenhouse.service.areas, method, pathname.slice(at)),
  )
  if (start === undefined) return undefined
  return pathname.slice(start) + search
}
