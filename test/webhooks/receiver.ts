import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'

/** A request that a receiver got. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** The answer of a receiver: a status, with or without a body, or none. */
export type ReceiverAnswer =
  | number
  | { status: number; body?: string; headers?: OutgoingHttpHeaders }
  | 'never'

/** Starts a receiver of webhooks on a free port; it does not outlive the test. */
export async function startReceiver(
  answer: (received: Received, place: number) => ReceiverAnswer = () => 200,
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { method: request.method!, path: request.url!, headers: request.headers, body }
    received.push(one)
    const given = answer(one, received.length - 1)
    if (given === 'never') return
    const {
      status,
      body: text = '',
      headers = {},
    } = typeof given === 'number' ? { status: given } : given
    response.writeHead(status, headers).end(text)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { server, url: `${url}/hook`, received, close }
}

/**
 * Verifies a delivery as Standard Webhooks says, by itself: at a time in milliseconds since 1970.
 */
export function verifies(
  secret: string,
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  now: number,
  tolerance = 300,
): boolean {
  const timestamp = String(headers['webhook-timestamp'])
  if (Math.abs(now / 1_000 - Number(timestamp)) > tolerance) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${timestamp}.${body}`)
    .digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .some((signature) => {
      const given = Buffer.from(signature.slice(3), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}
