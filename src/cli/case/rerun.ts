import { countOf, shorten, toVisible } from '../../core/text/messages.ts'
import { type Cell, type CommandReport, toPlain } from '../../output/reports.ts'
import { hideBody, hideHeader, redact } from '../../core/secrets/secrets.ts'
import { splitTarget } from '../../core/http/request.ts'
import { splitWorld } from '../../core/http/address.ts'
import { SecretFinder } from '../../core/secrets/known-secrets.ts'
import { findReplyDifferences } from '../../cases/compare-replies.ts'
import { toBodyBytes, toBodyText, toContentIfBinary, toTextContent } from '../../cases/content.ts'
import type { Case, CaseReply, CaseStep } from '../../cases/generated/case.ts'
import { type CaseDifference, replayCase } from '../../replay/replay.ts'
import { mapFields, mapStrings } from '../../core/text/values.ts'
import { UsageError, type Terminal } from '../terminal.ts'
import { loadAdditions } from '../files.ts'

/** The headers that differ between servers. */
const ownHeaders = [
  'date',
  'x-request-id',
  'x-greenhouse',
  'content-length',
  'content-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'server',
  'vary',
  'etag',
  'cache-control',
  'strict-transport-security',
  'via',
  'age',
]

const ofFetch =
  /^(host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|x-greenhouse-.*)$/i

export async function replayHere(given: Case, terminal: Terminal) {
  const { greenhouse, ...replayed } = await replayCase(given, await loadAdditions(terminal))
  greenhouse.close()
  return {
    ...replayed,
    notes: [],
    hide: String,
    stops: true,
  }
}

/**
 * Compares the status, the headers that the case has, and the values of the body. @param key
 * replaces those of the case
 */
export async function replayAgainst(
  given: Case,
  server: string,
  {
    allowWrites,
    key,
  }: {
    readonly allowWrites: boolean
    readonly key?: string
  },
) {
  const { steps = [] } = given
  if (!allowWrites) assertReads(steps, server)
  const others = steps.filter(({ request }) => request === undefined).length
  const notes: string[] = []
  if (others > 0)
    notes.push(
      `Left out ${countOf(others, 'step')} that no request makes: clocks, scenarios, records.`,
    )
  if (key === undefined && steps.some(hidesKey))
    notes.push(
      'The case hides some keys (fp_…): requests with them will be refused. Give a key with --key.',
    )
  const finders = [new SecretFinder(key === undefined ? [] : [key])]
  const hide = (text: string) => redact(text, finders)
  const differences: CaseDifference[] = []
  const urls = steps.map(({ request }, index) => request && toServerUrl(request, server, index + 1))
  for (const [index, step] of steps.entries()) {
    const url = urls[index]
    if (step.request === undefined || url === undefined) continue
    const actual = await sendStep(key === undefined ? step : withKey(step, key), url, server)
    if (!step.reply) continue
    const [before, after] = [hideReply(step.reply, finders), hideReply(actual, finders)]
    for (const difference of findReplyDifferences(before, after, false, ownHeaders))
      differences.push(
        mapStrings(
          {
            step: index + 1,
            request: step.request,
            ...difference,
          },
          hide,
        ) as CaseDifference,
      )
  }
  return {
    requests: urls.length - others,
    differences,
    notes,
    hide,
    stops: false,
  }
}

/** @throws UsageError if a step may change something */
function assertReads(steps: readonly CaseStep[], server: string) {
  const writes = steps.flatMap(({ request }) => {
    if (request === undefined || /^(GET|HEAD|OPTIONS) /.test(request)) return []
    return [request]
  })
  if (writes.length === 0) return
  const count =
    writes.length === 1 ? '1 request that writes' : `${writes.length} requests that write`
  throw new UsageError(
    `The case has ${count}, such as ${writes[0]}. Add --allow-writes if they may change ${server}. Nothing was sent.`,
  )
}

function hidesKey({ headers = {} }: CaseStep): boolean {
  return /\bfp_[0-9a-f]{12}\b/.test(JSON.stringify(headers))
}

/**
 * Hides the secrets of a reply as a case does, so that a value and its fingerprint compare equal.
 */
function hideReply(reply: CaseReply, finders: readonly SecretFinder[]): CaseReply {
  const { body: _, text: __, headers = {}, ...rest } = reply
  const shown = mapFields(headers, (value, name) =>
    [value].flat().map((one) => hideHeader(name, one, finders)),
  )
  const text = toBodyText(reply)
  const type = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type') ?? ''
  const content =
    reply.bytes === undefined && text !== undefined
      ? toTextContent(hideBody(text, String(headers[type]), finders))
      : {}
  return {
    ...rest,
    headers: shown,
    ...content,
  }
}

function toServerUrl(request: string, server: string, step: number): string {
  const [target, search] = splitTarget(request.slice(request.indexOf(' ') + 1))
  const { path } = splitWorld(target)
  // A server may take encoded slashes for slashes.
  const reached = new URL(server + path.replace(/%(2f|5c)/gi, '/'))
  if (reached.href.startsWith(`${server}/`)) return server + path + (search && `?${search}`)
  throw new UsageError(
    `Step ${step} of the case, ${request}, leads out of ${server}. Nothing was sent.`,
  )
}

function withKey(step: CaseStep, key: string): CaseStep {
  if (step.reply?.status === 401) return step
  const headers = mapFields(step.headers ?? {}, (value, name) => {
    if (/^authorization$/i.test(name)) return `Bearer ${key}`
    return value
  })
  return { ...step, headers }
}

async function sendStep(step: CaseStep, url: string, server: string): Promise<CaseReply> {
  const [method = ''] = step.request?.split(' ') ?? []
  const body = toBodyBytes(step)
  const headers = Object.entries(step.headers ?? {}).filter(([name]) => !ofFetch.test(name))
  let reply: Response
  try {
    reply = await fetch(url, {
      method,
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(body && method !== 'GET' && method !== 'HEAD' && { body: body as BodyInit }),
      redirect: 'manual',
    })
  } catch (error) {
    const { cause, message } = error as Error
    throw new Error(
      `Failed to reach ${server}: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}.`,
    )
  }
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const content =
    toContentIfBinary(bytes) ?? toTextContent(new TextDecoder().decode(bytes) || undefined)
  const received = Object.fromEntries(reply.headers)
  const cookies = reply.headers.getSetCookie()
  const headersOfReply =
    cookies.length > 0
      ? {
          ...received,
          'set-cookie': cookies,
        }
      : received
  return {
    status: reply.status,
    headers: headersOfReply,
    ...content,
  }
}

interface Replayed {
  readonly requests: number
  readonly differences: readonly CaseDifference[]
  /** Hides the key that was sent. */
  readonly hide: (text: string) => string
  /** True if nothing after the first reply that differs was compared. */
  readonly stops: boolean
}

export function toReplayReport(
  file: string,
  { steps = [] }: Case,
  { requests, differences, hide, stops }: Replayed,
): CommandReport {
  const last = (stops && differences[0]?.step) || Infinity
  const cases = steps.flatMap(({ request, reply }, index) => {
    if (request === undefined) return []
    const notes = differences.filter(({ step }) => step === index + 1).map(describeDifference)
    const failed = notes.length > 0 ? { message: notes.map(toPlain).join('\n') } : undefined
    const skipped = reply && index < last ? undefined : 'not compared'
    return [
      {
        owner: file,
        name: `Step ${index + 1}, ${toVisible(hide(request))}`,
        notes,
        failed,
        skipped,
      },
    ]
  })
  const outcome = differences.length === 0 ? 'every reply is the same' : 'a reply differs'
  return {
    name: 'replay',
    title: `${countOf(requests, 'request')}: ${outcome}.`,
    sections: cases.map(({ name, notes }) => ({
      title: name,
      notes,
    })),
    suites: { 'greenhouse-mock case replay': cases },
    data: { requests, differences },
  }
}

function describeDifference({ field, expected, actual }: CaseDifference): Cell {
  const show = (text: string | undefined) => {
    if (text === undefined) return 'nothing'
    return { code: toVisible(shorten(text, 300)) }
  }
  return [{ code: toVisible(field) }, ': expected ', show(expected), ', received ', show(actual)]
}
