import type { ServerResponse } from 'node:http'
import { tellLeft, type Reply } from '../core/http/reply.ts'
import { whenClosed } from './when-closed.ts'

/** Whether nobody is there any more who could be sent a reply. */
export function isGone({ req: { socket } }: ServerResponse): boolean {
  return socket.destroyed
}

/**
 * Tells the journal that a reply has left once all of it was given to the system, or that it has not, once its connection is
 * gone. Call it after `response.end`. @param sent how many bytes of the body left in the second case, as far as it is known.
 */
export function followDeparture(response: ServerResponse, reply: Reply, sent = 0): void {
  if (isGone(response)) return tellLeft(reply, sent, true)
  if (response.writableFinished) return tellLeft(reply)
  const finish = () => {
    stop()
    tellLeft(reply)
  }
  const close = () => {
    stop()
    tellLeft(reply, sent, true)
  }
  const forget = whenClosed(response.req.socket, close)
  const stop = () => {
    forget()
    response.off('finish', finish).off('close', close)
  }
  response.once('finish', finish).once('close', close)
}
