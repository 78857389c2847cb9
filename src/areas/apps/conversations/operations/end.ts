import { ApiError } from '../../../../core/contract/errors.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { appKind } from '../../apps/present.ts'
import { recordOfPath } from '../../declare.ts'
import { toConversationEnded } from '../events.ts'
import { conversationKind, conversationPresenter } from '../present.ts'
import { conversations, conversationSchema } from '../schemas.ts'

export const endConversation = declareOperation({
  id: 'conversations.end',
  method: 'POST',
  path: '/apps/{app_id}/conversations/{conversation_id}/end',
  title: 'End a conversation',
  scope: 'apps:write',
  result: conversationSchema,
  handle(exchange, { params }) {
    const app = recordOfPath(exchange, appKind, params)
    const conversation = recordOfPath(exchange, conversationKind, params, app)
    if (conversation.ended_at !== undefined)
      throw new ApiError('invalid_request', 'The conversation has ended already.')
    const ended = exchange.collection(conversations).update(conversation.id, { ended_at: exchange.now })
    const body = conversationPresenter(exchange)(ended!)
    exchange.emit('conversation.ended', app.id, toConversationEnded(exchange, app, ended!))
    return { status: 200, body }
  },
})
