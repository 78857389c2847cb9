import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/pagination.ts'
import { ownApp } from '../../apps/lookup.ts'
import { pageReply } from '../../list-reply.ts'
import { listOf } from '../../list-schema.ts'
import { conversationFilter, filterParameters } from '../list-filter.ts'
import { conversationPresenter } from '../present.ts'
import { conversations, conversationSchema } from '../schemas/conversation.ts'

/** Lists the app's conversations, newest first. */
export const listConversations = declareOperation({
  id: 'conversations.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations',
  title: "List an app's conversations",
  source: 'ours',
  scope: 'analytics:read',
  query: listQuery(filterParameters),
  ...listOf(conversationSchema),
  writes: false,
  handle(exchange, input) {
    const app = ownApp(exchange, input.params['app_id']!)
    return pageReply(exchange, input, {
      records: exchange.collection(conversations).partsOf(app.id),
      matches: conversationFilter(input.query),
      present: conversationPresenter(exchange),
    })
  },
})
