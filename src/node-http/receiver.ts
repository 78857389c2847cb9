import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, monotonicNow } from '../core/time/clock.ts'
import type { Answer, Received, Receiver } from '../contract/verify/receiver.ts'

/** Where a receiver listens, and where others find it. */
export interface ReceiverOptions {
  /** The time in milliseconds since 1970. */
  now(): number
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** Any free one by default. */
  readonly port?: number
  /** Where senders find it, when that is not where it listens. */
  readonly url?: string | undefined
}

/** Starts a server that takes webhooks. */
export async function startReceiver({ now, host = '127.0.0.1', port = 0, url }: ReceiverOptions): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<(waited: number) => void>()
  const gaveUp: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    const begun = monotonicNow()
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ headers, text: Buffer.concat(chunks).toString('utf8'), at: now() })
      if (receiver.answer === 'nothing') return
      response.writeHead(receiver.answer).end()
    })
    response.on('close', () => {
      if (response.writableFinished) return
      gaveUp.push(monotonicNow() - begun)
      for (const tell of waiting) tell(gaveUp[0]!)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const receiver: Receiver & { answer: Answer } = {
    url: url ?? `http://${host}:${(server.address() as AddressInfo).port}/`,
    received,
    answer: 204,
    untilGivenUp: (longest) =>
      new Promise((resolve) => {
        if (gaveUp.length > 0) return resolve(gaveUp[0])
        const done = (waited: number | undefined) => {
          stopTimer()
          waiting.delete(done)
          resolve(waited)
        }
        const stopTimer = after(longest, () => done(undefined))
        waiting.add(done)
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
