import { ApiError } from '../../../../core/definitions/errors.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { quote } from '../../../../core/definitions/quote.ts'
import { ownConversation } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messages, messageSchema } from '../schemas.ts'

export const getMessage = defineOperation({
  id: 'messages.get',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages/{message_id}',
  title: 'Get a message',
  source: 'ours',
  scope: 'analytics:read',
  result: messageSchema,
  writes: false,
  handle(exchange, { params }) {
    const { conversation } = ownConversation(exchange, params)
    const id = params['message_id']!
    const message = exchange.collection(messages).get(id)
    if (message?.conversation !== conversation.id)
      throw new ApiError('not_found', `The conversation has no message with the id ${quote(id)}.`)
    return { status: 200, body: presentMessage(message) }
  },
})
