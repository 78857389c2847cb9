import { ApiError, invalidRequest } from '../../../core/contract/errors.ts'
import type { ServerSentEvent } from '../../../core/http/reply.ts'
import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { explainNotFound } from '../../../core/pipeline/explain-not-found.ts'
import { notEmpty, choiceOf, type QueryParameters } from '../../../core/pipeline/list-query.ts'
import { quote } from '../../../core/text/messages.ts'
import { createRandom } from '../../../core/time/random.ts'
import { appKind } from '../apps/present.ts'
import type { App } from '../apps/schemas.ts'
import { created, createdStatus } from '../assumptions.ts'
import {
  declareCreate,
  declareDeleteRecord,
  declareGetRecord,
  declareListRecords,
  defineResource,
  fieldFilter,
  insertRecord,
  recordOfPath,
} from '../declare.ts'
import { credits } from '../payments/schemas.ts'
import { assertInOrder, readTime, timeParameter } from '../usage/range.ts'
import { toUserSignedUp } from '../users/events.ts'
import { userKind } from '../users/present.ts'
import { type User, users } from '../users/schemas.ts'
import { lowBalance, toConditionMet, toConversationEnded, toMessageSent, userOf } from './events.ts'
import { conversationKind, conversationPresenter, messageKind, presentMessage } from './present.ts'
import {
  conditionMetSchema,
  type Conversation,
  conversationEndedSchema,
  conversations,
  conversationSchema,
  messageDeltaSchema,
  messages,
  messageSchema,
  messageSentSchema,
  newConversationSchema,
  newMessageSchema,
  roles,
  statuses,
} from './schemas.ts'

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

/** How many credits an answer costs. */
const creditsOfAnswer = 1

const filters: QueryParameters = {
  status: {
    description: 'Conversations that are active, or that have ended.',
    schema: choiceOf(statuses),
  },
  user_id: {
    description: 'Conversations with this user of the app.',
    schema: notEmpty,
  },
  from: timeParameter('Conversations that began at this time or later.'),
  to: timeParameter('Conversations that began before this time.'),
}

export const conversationResource = defineResource({
  operations: [
    declareListRecords(conversationKind, {
      id: 'conversations.list',
      title: "List an app's conversations",
      scope: 'analytics:read',
      filters,
      matches: readConversationFilter,
    }),

    /**
     * Starts a conversation: with a user by id or by e-mail address (a new address signs up a
     * user), or without a user.
     */
    declareCreate({
      id: 'conversations.create',
      path: '/apps/{app_id}/conversations',
      title: 'Start a conversation',
      scope: 'apps:write',
      body: newConversationSchema,
      exclusive: ['user_id', 'user'],
      bodyIsOptional: true,
      example: {
        user: {
          email: 'sam@example.com',
          name: 'Sam',
        },
        platform: 'web',
      },
      result: conversationSchema,
      create(exchange, { params, body }) {
        const app = recordOfPath(exchange, appKind, params)
        let user: Readonly<User> | null = null
        if (body.user_id) user = userOfApp(exchange, app, body.user_id)
        else if (body.user) user = findOrCreateUser(exchange, app, body.user)
        if (!user && app.login_required)
          throw invalidRequest('user_id or user is required: the app requires its users to log in.')
        const conversation = insertRecord(exchange, conversationKind, {
          app: app.id,
          user: user?.id ?? null,
          platform: body.platform ?? 'api',
        })
        return conversationPresenter(exchange)(conversation)
      },
    }),

    declareGetRecord(conversationKind, {
      id: 'conversations.get',
      title: 'Get a conversation',
      scope: 'analytics:read',
    }),

    /** Deletes a conversation with its messages. The credits that they cost stay spent. */
    declareDeleteRecord(conversationKind, {
      id: 'conversations.delete',
      title: 'Delete a conversation',
      scope: 'apps:write',
      deleted: (exchange, { id }) => exchange.collection(messages).deleteChildren([id]),
    }),

    declareOperation({
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
          throw invalidRequest('The conversation has ended already.')
        const ended = exchange
          .collection(conversations)
          .amend(conversation, { ended_at: exchange.now })
        const body = conversationPresenter(exchange)(ended)
        exchange.emit('conversation.ended', app.id, toConversationEnded(exchange, app, ended))
        return {
          status: 200,
          body,
        }
      },
    }),

    declareListRecords(messageKind, {
      id: 'messages.list',
      title: "List a conversation's messages",
      scope: 'analytics:read',
      filters: {
        role: {
          description: 'Messages by this author.',
          schema: choiceOf(roles),
        },
      },
      matches: fieldFilter('role'),
    }),

    declareOperation({
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
        status: Number(assume('messages.stream.status')),
        events: {
          'message.delta': messageDeltaSchema,
          'message.completed': messageSchema,
        },
      }),
      errors: () => ['insufficient_credits'],
      handle(exchange, { params, body }) {
        const app = recordOfPath(exchange, appKind, params)
        const conversation = recordOfPath(exchange, conversationKind, params, app)
        if (conversation.ended_at !== undefined) throw invalidRequest('The conversation has ended.')
        spendCredits(exchange, creditsOfAnswer)
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
            credits: creditsOfAnswer,
          }),
        )
        emitMessageSent(exchange, {
          app,
          conversation,
          question: body.content,
          answer: content,
        })
        if (!body.stream)
          return {
            status: createdStatus(exchange),
            body: answer,
          }
        const status = Number(exchange.assume('messages.stream.status'))
        return {
          status,
          events: toStreamEvents(answer),
        }
      },
    }),

    declareGetRecord(messageKind, {
      id: 'messages.get',
      title: 'Get a message',
      scope: 'analytics:read',
    }),
  ],
  eventSchemas: {
    'message.sent': messageSentSchema,
    'condition.met': conditionMetSchema,
    'conversation.ended': conversationEndedSchema,
  },
  collections: { conversations, messages },
  schemas: {
    Conversation: conversationSchema,
    NewConversation: newConversationSchema,
    Message: messageSchema,
    NewMessage: newMessageSchema,
  },
})

/** Returns an app's answer to a prompt. It depends only on the seed, the app and the prompt. */
function answerTo(prompt: string, { id, display_name, name }: Readonly<App>, seed: number): string {
  const random = createRandom(seed, `answer ${id} ${prompt}`)
  const pick = (from: readonly string[]) => from[Math.floor(random.next() * from.length)]!
  const subject = prompt.trim().replace(/\s+/g, ' ')
  const quoted = subject.length > 60 ? `${[...subject].slice(0, 60).join('')}…` : subject
  return `${pick(openings)} You asked ${display_name ?? name}: “${quoted}” ${pick(advice)} ${pick(closings)}`
}

/** Returns the events of a streamed answer: one for each word, and one for the whole message. */
function toStreamEvents(message: ReturnType<typeof presentMessage>): ServerSentEvent[] {
  const words = message.content.match(/\S+\s*/g) ?? []
  return [
    ...words.map((word) => ({
      event: 'message.delta',
      data: {
        id: message.id,
        delta: { content: word },
      },
    })),
    { event: 'message.completed', data: message },
  ]
}

function spendCredits(exchange: AuthenticatedExchange, amount: number): void {
  const { id } = exchange.caller.account
  const stored = exchange.collection(credits)
  const balance = stored.get(id)
  if (!balance || balance.purchased - balance.spent < amount)
    throw new ApiError(
      'insufficient_credits',
      undefined,
      Number(exchange.assume('messages.no-credits')),
    )
  stored.update(id, { spent: balance.spent + amount })
}

/** A question that was answered. */
interface SentMessage {
  readonly app: Readonly<App>
  readonly conversation: Readonly<Conversation>
  readonly question: string
  readonly answer: string
}

function emitMessageSent(exchange: AuthenticatedExchange, sent: SentMessage): void {
  const { app, conversation } = sent
  const user = userOf(exchange, conversation)
  const count = exchange.collection(messages).childrenOf(conversation.id).size
  exchange.emit(
    'message.sent',
    app.id,
    toMessageSent({
      ...sent,
      user,
      count,
      at: exchange.now,
    }),
  )
  // The condition is met once, when the balance falls to this value.
  const balance = exchange.collection(credits).get(app.account)
  if (balance && balance.purchased - balance.spent === lowBalance)
    exchange.emit('condition.met', app.id, toConditionMet(app))
}

/** Returns a user by id. @throws ApiError for one that the app does not have */
function userOfApp(
  exchange: AuthenticatedExchange,
  app: Readonly<App>,
  id: string,
): Readonly<User> {
  const user = exchange.collection(users).get(id)
  if (user?.app === app.id) return user
  throw invalidRequest(
    `user_id must be the id of a user of the app, and ${quote(id)} is not.`,
  ).because(explainNotFound(exchange, users, id, app.id))
}

/** Returns the user with an e-mail address, who signs up if the app has none. */
function findOrCreateUser(
  exchange: AuthenticatedExchange,
  app: Readonly<App>,
  {
    email,
    name,
  }: {
    email: string
    name?: string
  },
): Readonly<User> {
  const address = email.toLowerCase()
  const [known] = exchange
    .collection(users)
    .childrenOf(app.id)
    .take(1, { matches: (user) => user.email === address })
  if (known) return known.record
  const user = insertRecord(exchange, userKind, {
    app: app.id,
    email: address,
    name: name ?? address.slice(0, address.indexOf('@')),
  })
  exchange.emit('user.signed_up', app.id, toUserSignedUp(app, user))
  return user
}

function readConversationFilter(
  query: URLSearchParams,
): (conversation: Readonly<Conversation>) => boolean {
  const status = query.get('status')
  const userId = query.get('user_id')
  const from = readTime(query, 'from') ?? -Infinity
  const to = readTime(query, 'to') ?? Infinity
  assertInOrder(from, to)
  return ({ ended_at, user, created_at }) =>
    (status === null || (status === 'ended') === (ended_at !== undefined)) &&
    (userId === null || user === userId) &&
    created_at >= from &&
    created_at < to
}
