import type { ServerResponse } from 'node:http'
import { tellLeft, type Reply } from '../core/reply.ts'
import { whenClosed } from './when-closed.ts'

/**
 * Tells the journal that a reply has left once all of it was given to the system, or that it has not, once its connection is
 * gone. Call it after `response.end`. @param sent how many bytes of the body left in the second case, as far as it is known.
 */
export function followDeparture(response: ServerResponse, reply: Reply, sent = 0): void {
  if (response.writableFinished) return tellLeft(reply)
  if (response.destroyed || response.req.socket.destroyed) return tellLeft(reply, sent, true)
  const finish = () => {
    stop()
    tellLeft(reply)
  }
  const close = () => {
    stop()
    if (response.writableFinished) tellLeft(reply)
    else tellLeft(reply, sent, true)
  }
  const forget = whenClosed(response.req.socket, close)
  const stop = () => {
    forget()
    response.off('finish', finish).off('close', close)
  }
  response.once('finish', finish).once('close', close)
}
