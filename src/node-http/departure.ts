import type { ServerResponse } from 'node:http'
import { printFailure } from '../core/definitions/reason.ts'
import { markSent, type Reply } from '../core/http/reply.ts'
import { whenClosed } from './when-closed.ts'

export function isClientGone({ req: { socket } }: ServerResponse): boolean {
  return socket.destroyed
}

export function failToSend(response: ServerResponse, reply: Reply, error: unknown): void {
  printFailure('Greenhouse failed to send a reply:', error)
  response.destroy()
  markSent(reply, 0, true)
}

/**
 * Reports to the journal when the system has taken the whole reply, or when the connection is gone. Call it after
 * `response.end`. @param sent the known number of sent bytes of the body, in the second case.
 */
export function reportWhenSent(response: ServerResponse, reply: Reply, sent = 0): void {
  if (isClientGone(response)) return markSent(reply, sent, true)
  if (response.writableFinished) return markSent(reply)
  const finish = () => {
    stop()
    markSent(reply)
  }
  const close = () => {
    stop()
    markSent(reply, sent, true)
  }
  const forget = whenClosed(response.req.socket, close)
  const stop = () => {
    forget()
    response.off('finish', finish).off('close', close)
  }
  response.once('finish', finish).once('close', close)
}
