import { type CodeRequest, type RunnerCode, toFetchCall } from '../../../core/text/code.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import type { JournalEntry, PanelChoice } from '../../data/shapes.ts'

/** Headers to leave out: clients set them, or they belong to one connection. */
const droppedHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'accept-language',
  'keep-alive',
  'transfer-encoding',
  'cache-control',
  'pragma',
  'referer',
  'origin',
])

/** The placeholder for a key that the journal does not know. */
export const withoutKey = '$KEY'

/**
 * Turns a recorded request into one that can be sent again. The journal has fingerprints instead of keys: a key with a
 * name gets that name, any other becomes `$KEY`.
 * @param toUrl turns a path of the server into the client's URL. @param keyName the key's name or fingerprint, if known
 */
export function toCodeRequest(
  { request, world }: JournalEntry,
  toUrl: (path: string) => string,
  keyName: string | undefined,
): CodeRequest {
  const known = keyName !== undefined && !keyName.startsWith('fp_') ? keyName : withoutKey
  const isNamed = request.url.startsWith('/~') || 'x-greenhouse-world' in request.headers
  const headers = Object.entries(request.headers)
    .filter(([name, value]) => !droppedHeaders.has(name) && !name.startsWith('sec-') && value !== '*/*')
    .map(([name, value]) => [name, name === 'authorization' ? value.replace(/fp_[\da-f]{12}/, known) : value] as const)
  return {
    method: request.method,
    url: request.url.startsWith('/') ? toUrl(request.url) : request.url,
    headers: world === 'default' || isNamed ? headers : [...headers, ['x-greenhouse-world', world]],
    body: request.body === '' ? undefined : request.body,
  }
}

export interface TestStart {
  readonly seed: number
  readonly now: string
  readonly scenarios: readonly PanelChoice[]
}

export function toTest(runner: RunnerCode, entry: JournalEntry, request: CodeRequest, start: TestStart): string {
  const path = entry.request.url.replace(/^\/~[^/?]+/, '')
  const url = /^\/v1(?=[/?]|$)/.test(path)
    ? `api.appsUrl + ${toLiteral(path.slice(3))}`
    : `api.plantsUrl + ${toLiteral(path)}`
  const headers = request.headers.filter(([name]) => name !== 'x-greenhouse-world')
  const { status } = entry.response
  const call = toFetchCall(url, { ...request, headers })
  const body = [
    `world.reset(${toLiteral(start)})`,
    'world.clock.freeze()',
    ...(status === 0
      ? [runner.rejects(call)]
      : [`const response = await ${call}`, runner.equal('response.status', String(status))]),
  ].join('\n')
  const title = toLiteral(`${entry.request.method} ${path} is ${status === 0 ? 'not answered' : String(status)}`)
  const indented = (indent: string) => body.replaceAll(/^/gm, indent)
  const test = runner.hasFixtures
    ? `test(${title}, async ({ world, api }) => {\n${indented('  ')}\n})`
    : `test(\n  ${title},\n  withWorld(async ({ world, api }) => {\n${indented('    ')}\n  }),\n)`
  return `${runner.worldImports}\n\n${test}\n`
}
