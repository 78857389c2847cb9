import { emptyReply, type Reply } from '../core/http/reply.ts'

/**
 * The reply to a preflight of happy-dom; `undefined` when a request is none. happy-dom asks for each page whether it may call, and
 * takes the headers that say so off every `Request`: msw 3, which listens to sockets, shows what is left. What is caught in a
 * process comes from that process, so any page of it may call.
 */
export function answerBarePreflight({ method, headers }: Request): Reply | undefined {
  if (method !== 'OPTIONS' || headers.has('access-control-request-method')) return undefined
  if (!headers.get('user-agent')?.includes('HappyDOM/')) return undefined
  const reply = emptyReply(204)
  reply.headers['Access-Control-Allow-Origin'] = '*'
  reply.headers['Access-Control-Allow-Methods'] = '*'
  reply.headers['Access-Control-Allow-Headers'] = '*'
  return reply
}
