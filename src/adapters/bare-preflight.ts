import { emptyReply, type Reply } from '../core/http/reply.ts'

/**
 * Returns the reply to a preflight of happy-dom; `undefined` for other requests. happy-dom removes the preflight headers
 * from every `Request`, and msw 3, which intercepts sockets, passes the bare `OPTIONS` request on. The reply allows every
 * page, because the request comes from this process.
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
