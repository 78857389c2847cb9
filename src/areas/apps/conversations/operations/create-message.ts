import { ApiError } from '../../../../core/contract/errors.ts'
import type { ServerSentEvent } from '../../../../core/http/reply.ts'
import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { createRandom } from '../../../../core/time/random.ts'
import { appKind } from '../../apps/present.ts'
import type { App } from '../../apps/schemas.ts'
import { recordOfPath, insertRecord } from '../../declare.ts'
import { credits } from '../../payments/schemas.ts'
import { appAssumptions, created, createdStatus } from '../../assumptions.ts'
import { users } from '../../users/schemas.ts'
import { lowBalance, toConditionMet, toMessageSent } from '../events.ts'
import { conversationKind, messageKind, presentMessage } from '../present.ts'
import { type Conversation, messageDeltaSchema, messages, messageSchema, newMessageSchema } from '../schemas.ts'

const openings = [
  'Good question.',
  'Happy to help.',
  'That is a common one.',
  'Let us look at it together.',
  'Thank you for asking.',
  'I can help with that.',
]

const advice = [
  'Most plants like it when the top of the soil dries out before they are watered again.',
  'A bright place without direct sun is a safe start.',
  'Yellow leaves at the bottom mostly mean too much water.',
  'Repot it in spring, into a pot that is only a little larger.',
  'Feed it every two weeks while it grows, and not at all in winter.',
  'Brown tips point to dry air; a tray of wet pebbles helps.',
  'Turn it by a quarter every week, so that it grows straight.',
  'Look under the leaves for mites before you do anything else.',
]

const closings = [
  'Does that help?',
  'Tell me how it goes.',
  'Shall I remind you in a week?',
  'Send a photo if you are not sure.',
]

/** Returns an app's answer to a prompt. It depends only on the seed, the app and the prompt. */
function answerTo(prompt: string, { id, display_name, name }: Readonly<App>, seed: number): string {
  const random = createRandom(seed, `answer ${id} ${prompt}`)
  const pick = (from: readonly string[]) => from[Math.floor(random.next() * from.length)]!
  const subject = prompt.trim().replace(/\s+/g, ' ')
  const quoted = subject.length > 60 ? `${[...subject].slice(0, 60).join('')}…` : subject
  return `${pick(openings)} You asked ${display_name ?? name}: “${quoted}” ${pick(advice)} ${pick(closings)}`
}

const price = 1

export const createMessage = declareOperation({
  id: 'messages.create',
  method: 'POST',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: 'Send a message',
  scope: 'apps:write',
  body: newMessageSchema,
  example: { content: 'How often should I water a ficus?' },
  result: messageSchema,
  statuses: created,
  stream: (assume) => ({
    status: Number(assume(appAssumptions, 'messages.stream.status')),
    events: { 'message.delta': messageDeltaSchema, 'message.completed': messageSchema },
  }),
  errors: () => ['insufficient_credits'],
  handle(exchange, { params, body }) {
    const app = recordOfPath(exchange, appKind, params)
    const conversation = recordOfPath(exchange, conversationKind, params, app)
    if (conversation.ended_at !== undefined) throw new ApiError('invalid_request', 'The conversation has ended.')
    spendCredits(exchange, price)
    const question = insertRecord(exchange, messageKind, {
      conversation: conversation.id,
      role: 'user',
      content: body.content,
      credits: 0,
    })
    const content = answerTo(body.content, app, exchange.world.seed)
    const answer = presentMessage(
      insertRecord(exchange, messageKind, {
        conversation: conversation.id,
        role: 'assistant',
        content,
        reply_to: question.id,
        credits: price,
      }),
    )
    emitMessageSent(exchange, app, conversation, body.content, content)
    return body.stream
      ? { status: Number(exchange.assume(appAssumptions, 'messages.stream.status')), events: toEvents(answer) }
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

function spendCredits(exchange: Exchange, amount: number): void {
  const { id } = exchange.caller!.account
  const stored = exchange.collection(credits)
  const balance = stored.get(id)
  if (!balance || balance.purchased - balance.spent < amount)
    throw new ApiError(
      'insufficient_credits',
      undefined,
      Number(exchange.assume(appAssumptions, 'messages.no-credits')),
    )
  stored.update(id, { spent: balance.spent + amount })
}

function emitMessageSent(
  exchange: Exchange,
  app: Readonly<App>,
  conversation: Readonly<Conversation>,
  question: string,
  answer: string,
): void {
  const user = conversation.user === null ? undefined : exchange.collection(users).get(conversation.user)
  const count = exchange.collection(messages).childrenOf(conversation.id).size
  exchange.emit(
    'message.sent',
    app.id,
    toMessageSent({ app, conversation, user, count, question, answer, at: exchange.now }),
  )
  const balance = exchange.collection(credits).get(app.account)
  if (balance && balance.purchased - balance.spent === lowBalance)
    exchange.emit('condition.met', app.id, toConditionMet(app))
}
