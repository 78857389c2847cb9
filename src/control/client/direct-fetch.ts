import { findNode } from '../../core/contract/platform.ts'
import { isLoopbackHost } from '../../core/http/urls.ts'

interface Init extends RequestInit {
  headers: Record<string, string>
  body: string | null
}

/**
 * `fetch`, but without a proxy for this machine: with NODE_USE_ENV_PROXY=1, and in Deno and Bun, it
 * sends even loopback requests to the proxy of HTTP_PROXY, which cannot reach our server. An agent
 * of `node:http` that is not the global one uses none.
 */
export function directFetch(url: URL, init: Init): Promise<Response> {
  const node = findNode()
  const hasProxy =
    node && Object.keys(node.env).some((name) => /^http_proxy$/i.test(name) && node.env[name])
  if (!hasProxy || !isLoopbackHost(url.hostname)) return fetch(url, init)
  const { request } = node.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { Readable } = node.getBuiltinModule('node:stream')
  const { method, headers, body, signal } = init
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      agent: false,
      signal: signal ?? undefined,
    } as const
    request(url, options, (reply) => {
      const { statusCode: status = 0, headers } = reply
      const isEmpty = status === 204 || status === 304
      if (isEmpty) reply.resume()
      const stream = isEmpty ? null : (Readable.toWeb(reply) as ReadableStream<Uint8Array>)
      const type = headers['content-type'] ?? ''
      resolve(
        new Response(stream, {
          status,
          headers: { 'content-type': type },
        }),
      )
    })
      .on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
      .end(body ?? undefined)
  })
}
