import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery, type QueryParameters } from '../../../../core/pipeline/query.ts'
import { findApp } from '../../apps/lookup.ts'
import { assertInOrder, listOf, pageReply, readTime, timeParameter } from '../../list-reply.ts'
import { conversationPresenter } from '../present.ts'
import { conversations, conversationSchema, statuses, type Conversation } from '../schemas.ts'

const filterParameters: QueryParameters = {
  status: { description: 'Conversations that are active, or that have ended.', values: statuses },
  user_id: {
    description: 'Conversations with this user of the app.',
    check: (text) => (text === '' ? 'must not be empty' : undefined),
  },
  from: timeParameter('Conversations that began at this time or later.'),
  to: timeParameter('Conversations that began before this time.'),
}

export const listConversations = declareOperation({
  id: 'conversations.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations',
  title: "List an app's conversations",
  scope: 'analytics:read',
  query: listQuery(filterParameters),
  ...listOf(conversationSchema),
  handle(exchange, input) {
    const app = findApp(exchange, input.params['app_id']!)
    return pageReply(exchange, input, {
      records: exchange.collection(conversations).childrenOf(app.id),
      matches: conversationFilter(input.query),
      present: conversationPresenter(exchange),
    })
  },
})

function conversationFilter(query: URLSearchParams): ((conversation: Readonly<Conversation>) => boolean) | undefined {
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
