import { isUtf8 } from 'node:buffer'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Answered, Asked, Send } from '../contract/verify/wire.ts'

const maxBytes = 64 * 2 ** 20

export function createHttpClient({ insecure = false } = {}): { send: Send; close(): void } {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: 1 }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: !insecure }),
  }
  return {
    send: (asked, signal) => sendOnce(asked, signal, agents),
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  }
}

function sendOnce(
  { method, url, headers, body }: Asked,
  signal: AbortSignal,
  agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const target = new URL(url)
    const isSecure = target.protocol === 'https:'
    const request = (isSecure ? requestHttps : requestHttp)(target, {
      method,
      signal,
      agent: isSecure ? agents['https:'] : agents['http:'],
      headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
    })
    let isAnswered = false
    request.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= maxBytes) return
        // Rejects before it cuts the connection, whose error would be reported instead.
        reject(new Error(`the reply is larger than ${maxBytes / 2 ** 20} MiB.`))
        request.destroy()
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [
              name,
              Array.isArray(value) ? value.join(', ') : value!,
            ]),
          ),
          ...toText(Buffer.concat(chunks), response.headers['content-type']),
        }),
      )
    })
    // A server may answer and close before it has read the body: its answer counts.
    request.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    request.end(body)
  })
}

/** Decodes a body. If it is not UTF-8, uses the declared charset, so that the rest can be read. */
function toText(bytes: Buffer, type = ''): Pick<Answered, 'text' | 'encoding'> {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') }
  const [, charset] = /;\s*charset="?([\w.:-]+)/i.exec(type) ?? []
  const encoding = `the body is not in UTF-8${charset === undefined ? '' : `, and is declared as ${charset}`}`
  try {
    return { text: new TextDecoder(charset ?? 'latin1').decode(bytes), encoding }
  } catch {
    return { text: bytes.toString('latin1'), encoding }
  }
}
