import { defineOperation } from '../../../core/operation.ts'
import { ownApp } from '../apps/own.ts'
import { pageReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { conversationPresenter } from './present.ts'
import { conversations, conversationSchema } from './schemas.ts'

/** The app's chat history, the newest conversation first. */
export const listConversations = defineOperation({
  id: 'conversations.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations',
  title: "List an app's conversations",
  source: 'ours',
  scope: 'analytics:read',
  result: listSchema(conversationSchema),
  writes: false,
  handle(exchange, { params, query }) {
    const app = ownApp(exchange, params['app_id']!)
    return pageReply(exchange, exchange.collection(conversations).partsOf(app.id), query, conversationPresenter(exchange))
  },
})
