import type { QueryParameters } from '../../../../core/pipeline/query.ts'
import { declareListRecords } from '../../declare.ts'
import { assertInOrder, readTime, timeParameter } from '../../usage/range.ts'
import { conversationKind } from '../present.ts'
import { statuses, type Conversation } from '../schemas.ts'

const filters: QueryParameters = {
  status: { description: 'Conversations that are active, or that have ended.', values: statuses },
  user_id: {
    description: 'Conversations with this user of the app.',
    check: (text) => (text === '' ? 'must not be empty' : undefined),
  },
  from: timeParameter('Conversations that began at this time or later.'),
  to: timeParameter('Conversations that began before this time.'),
}

export const listConversations = declareListRecords(conversationKind, {
  id: 'conversations.list',
  path: '/apps/{app_id}/conversations',
  title: "List an app's conversations",
  scope: 'analytics:read',
  filters,
  matches: toFilter,
})

function toFilter(query: URLSearchParams): ((conversation: Readonly<Conversation>) => boolean) | undefined {
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
