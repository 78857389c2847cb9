import { countOf } from '../../core/text/messages.ts'
import { redact } from '../../core/secrets/redact.ts'
import { splitTarget } from '../../core/http/request.ts'
import { splitWorld } from '../../core/pipeline/router.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import { toBodyBytes, toBytesIfNeeded, toContent } from '../../cases/format.ts'
import { findReplyDifferences } from '../../cases/difference.ts'
import type { Case, CaseReply, CaseStep } from '../../cases/types.ts'
import type { CaseDifference } from '../../cases/replay.ts'
import { mapStrings } from '../../api/inspect/collections.ts'
import { UnreachableError } from '../control-client.ts'
import { UsageError } from '../errors.ts'

const ownHeaders =
  /^(date|x-request-id|x-greenhouse|content-(length|encoding)|connection|keep-alive|transfer-encoding|server|vary|etag|cache-control|strict-transport-security|via|age)$/i

/** Headers that `fetch` sets itself. */
const ofFetch = /^(host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|x-greenhouse-.*)$/i

/**
 * Sends the requests of a case to another server, and compares each reply: the status, the headers that the case has, and the
 * values of the body. @param allowWrites whether to send requests that may change something @param key replaces those of the case
 * @throws UnreachableError; UsageError if the case writes and that is not allowed
 */
export async function replayAgainst(
  given: Case,
  server: string,
  { allowWrites, key }: { readonly allowWrites: boolean; readonly key?: string | undefined },
): Promise<{ requests: number; differences: CaseDifference[]; notes: string[] }> {
  const { steps = [] } = given
  const writes = steps.flatMap(({ request }) =>
    request === undefined || /^(GET|HEAD|OPTIONS) /.test(request) ? [] : [request],
  )
  if (writes.length > 0 && !allowWrites)
    throw new UsageError(
      `The case has ${writes.length} ${writes.length === 1 ? 'request that writes' : 'requests that write'}, such as ${writes[0]}. Add --allow-writes if they may change ${server}. Nothing was sent.`,
    )
  const others = steps.filter(({ request }) => request === undefined).length
  const hidden = steps.some(({ headers }) => /\bfp_[0-9a-f]{12}\b/.test(JSON.stringify(headers ?? {})))
  const notes = [
    ...(others > 0 ? [`Left out ${countOf(others, 'step')} that no request makes: clocks, scenarios, records.`] : []),
    ...(hidden && key === undefined
      ? ['The case hides some keys (fp_…): requests with them will be refused. Give a key with --key.']
      : []),
  ]
  const finders = [new SecretFinder(key === undefined ? [] : [key])]
  const hide = (text: string) => redact(text, finders)
  const differences: CaseDifference[] = []
  const urls = steps.map(({ request }, index) => request && toUrl(request, server, index + 1))
  for (const [index, step] of steps.entries()) {
    const url = urls[index]
    if (step.request === undefined || url === undefined) continue
    const actual = await send(key === undefined ? step : withKey(step, key), url, server)
    if (!step.reply) continue
    for (const difference of findReplyDifferences(toComparable(step.reply), actual, false))
      differences.push(mapStrings({ step: index + 1, request: step.request, ...difference }, hide) as CaseDifference)
  }
  return { requests: urls.length - others, differences, notes }
}

/** Returns the URL of a request below the server's base URL. @throws UsageError for a path that leads out of it */
function toUrl(request: string, server: string, step: number): string {
  const [target, search] = splitTarget(request.slice(request.indexOf(' ') + 1))
  const { path } = splitWorld(target)
  // A server may take encoded slashes for slashes.
  const reached = new URL(server + path.replace(/%(2f|5c)/gi, '/'))
  if (reached.href.startsWith(`${server}/`)) return server + path + (search && `?${search}`)
  throw new UsageError(`Step ${step} of the case, ${request}, leads out of ${server}. Nothing was sent.`)
}

function withKey(step: CaseStep, key: string): CaseStep {
  if (step.reply?.status === 401) return step
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) =>
    /^authorization$/i.test(name) ? [name, `Bearer ${key}`] : [name, value],
  )
  return { ...step, headers: Object.fromEntries(headers) }
}

function toComparable(reply: CaseReply): CaseReply {
  const headers = Object.entries(reply.headers ?? {}).filter(([name]) => !ownHeaders.test(name))
  return { ...reply, headers: Object.fromEntries(headers) }
}

async function send(step: CaseStep, url: string, server: string): Promise<CaseReply> {
  const [method] = step.request!.split(' ')
  const body = toBodyBytes({ body: step.body, text: step.text, bytes: step.bytes })
  const headers = Object.entries(step.headers ?? {}).filter(([name]) => !ofFetch.test(name))
  let reply: Response
  try {
    reply = await fetch(url, {
      method: method!,
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(body && method !== 'GET' && method !== 'HEAD' && { body: body as BodyInit }),
      redirect: 'manual',
    })
  } catch (error) {
    const { cause, message } = error as Error
    throw new UnreachableError(
      `Failed to reach ${server}: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}.`,
    )
  }
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const content = toBytesIfNeeded(bytes) ?? toContent(new TextDecoder().decode(bytes) || undefined)
  return { status: reply.status, headers: Object.fromEntries(reply.headers), ...content }
}
