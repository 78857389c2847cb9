import type { QueryParameters } from '../../../core/pipeline/query.ts'
import { assertInOrder, readTime, timeParameter } from '../time-parameter.ts'
import { statuses, type Conversation } from './schemas/conversation.ts'

export const filterParameters: QueryParameters = {
  status: { description: 'Conversations that are active, or that have ended.', values: statuses },
  user_id: {
    description: 'Conversations with this user of the app.',
    check: (text) => (text === '' ? 'must not be empty' : undefined),
  },
  from: timeParameter('Conversations that began at this time or later.'),
  to: timeParameter('Conversations that began before this time.'),
}

/** Returns a predicate for a list's filters; `undefined` if all conversations match. @throws ApiError 400 if `from` is not before `to`. */
export function conversationFilter(
  query: URLSearchParams,
): ((conversation: Readonly<Conversation>) => boolean) | undefined {
  const status = query.get('status')
  const userId = query.get('user_id')
  const from = readTime(query, 'from') ?? -Infinity
  const to = readTime(query, 'to') ?? Infinity
  assertInOrder(from, to)
  if (status === null && userId === null && from === -Infinity && to === Infinity) return undefined
  return ({ ended_at, user, created_at }) =>
    (status === null || (status === 'ended') === (ended_at !== undefined)) &&
    (userId === null || user === userId) &&
    created_at >= from &&
    created_at < to
}
