import { quoteForShell as quote, toLiteral } from '../../../core/text/messages.ts'
import type { JournalEntry } from '../../data/shapes.ts'

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

export interface CodeRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

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

export function toCurl({ method, url, headers, body }: CodeRequest): string {
  const isUsual = method === (body === undefined ? 'GET' : 'POST')
  return [
    'curl',
    // Brackets and braces in a URL would name several.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(isUsual ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    quote(url),
    ...headers.flatMap(([name, value]) => ['-H', quoteHeader(value === '' ? `${name};` : `${name}: ${value}`)]),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
  ].join(' ')
}

export function toFetch(request: CodeRequest): string {
  return `const response = await fetch(${toLiteral(request.url)}${toFetchOptions(request)})\nconsole.log(response.status, await response.text())`
}

export function toFetchOptions({ method, headers, body }: Omit<CodeRequest, 'url'>): string {
  const options = {
    ...(method !== 'GET' && { method }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
  }
  return Object.keys(options).length === 0 ? '' : `, ${toLiteral(options)}`
}

export function toHttpie({ method, url, headers, body }: CodeRequest): string {
  return [
    'http',
    ...(body === undefined ? [] : ['--raw', quote(body)]),
    method,
    quote(url),
    ...headers.map(([name, value]) =>
      quoteHeader(value === '' ? `${name};` : `${name}:${value.replace(/^[=@]/, '\\$&')}`),
    ),
  ].join(' ')
}

/** Quotes a header for the shell, which still expands `$KEY`. */
export function quoteHeader(text: string): string {
  return text.includes('$KEY') ? quote(text).replace('$KEY', `'"$KEY"'`) : quote(text)
}
