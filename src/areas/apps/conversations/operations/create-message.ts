import { ApiError } from '../../../../core/definitions/errors.ts'
import type { ServerSentEvent } from '../../../../core/http/event-stream.ts'
import { created, createdStatus } from '../../statuses.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { newId } from '../../../../core/store/new-id.ts'
import { spendCredits } from '../../payments/spend-credits.ts'
import { conversationAssumptions } from '../assumptions.ts'
import { answerTo } from '../answer.ts'
import { emitMessageSent } from '../emit-message-sent.ts'
import { ownConversation } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messages, messageDeltaSchema, messageSchema, newMessageSchema } from '../schemas/message.ts'

const price = 1

export const createMessage = declareOperation({
  id: 'messages.create',
  method: 'POST',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: 'Send a message',
  source: 'ours',
  scope: 'apps:write',
  body: newMessageSchema,
  example: { content: 'How often should I water a ficus?' },
  result: messageSchema,
  statuses: created,
  stream: (assume) => ({
    status: Number(assume(conversationAssumptions, 'messages.stream.status')),
    events: { 'message.delta': messageDeltaSchema, 'message.completed': messageSchema },
  }),
  refusals: () => ['insufficient_credits'],
  writes: true,
  handle(exchange, { params, body }) {
    const { app, conversation } = ownConversation(exchange, params)
    if (conversation.ended_at !== undefined) throw new ApiError('invalid_request', 'The conversation has ended.')
    spendCredits(exchange, price)
    const stored = exchange.collection(messages)
    const common = { account: app.account, conversation: conversation.id, created_at: exchange.now }
    const random = exchange.world.random('message')
    const question = stored.insert({
      ...common,
      id: newId(stored, random, 'msg'),
      role: 'user',
      content: body.content,
      credits: 0,
    })
    const content = answerTo(body.content, app, exchange.world.seed)
    const answer = presentMessage(
      stored.insert({
        ...common,
        id: newId(stored, random, 'msg'),
        role: 'assistant',
        content,
        reply_to: question.id,
        credits: price,
      }),
    )
    emitMessageSent(exchange, app, conversation, body.content, content)
    return body.stream
      ? { status: Number(exchange.assume(conversationAssumptions, 'messages.stream.status')), events: toEvents(answer) }
      : { status: createdStatus(exchange), body: answer }
  },
})

function toEvents(message: ReturnType<typeof presentMessage>): ServerSentEvent[] {
  const words = message.content.match(/\S+\s*/g) ?? []
  return [
    ...words.map((word) => ({ event: 'message.delta', data: { id: message.id, delta: { content: word } } })),
    { event: 'message.completed', data: message },
  ]
}
