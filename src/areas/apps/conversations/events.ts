import type { StoreSource } from '../../../core/pipeline/operation.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { App } from '../apps/schemas.ts'
import { placeholderId, sampleOfApp } from '../apps/events.ts'
import { generateUser } from '../users/events.ts'
import { presentUser } from '../users/present.ts'
import { users, type User } from '../users/schemas.ts'
import { conversationPresenter } from './present.ts'
import { type Conversation, conversations, messages } from './schemas.ts'

export const lowBalance = 10

/** Returns the user of a conversation, if it has one. */
export function userOf(
  source: StoreSource,
  { user }: Readonly<Conversation>,
): Readonly<User> | undefined {
  return user === null ? undefined : source.collection(users).get(user)
}

const maxConversationsSearched = 100

interface QuestionAndAnswer {
  readonly app: Readonly<App>
  readonly conversation: Readonly<Conversation>
  readonly user: Readonly<User> | undefined
  readonly count: number
  readonly question: string
  readonly answer: string
  /** The time, in milliseconds since 1970. */
  readonly at: number
}

export function toMessageSent({
  app,
  conversation,
  user,
  count,
  question,
  answer,
  at,
}: QuestionAndAnswer) {
  const { id, platform, created_at } = conversation
  return {
    app_id: app.id,
    app_name: app.name,
    user: user ? presentUser(user) : null,
    conversation: {
      id,
      message_count: count,
      last_message: question,
      ai_response: answer,
    },
    metadata: {
      session_duration: Math.max(0, Math.round((at - created_at) / 1_000)),
      platform,
    },
  }
}

export function toConditionMet({ id, name }: Readonly<App>) {
  return {
    app_id: id,
    app_name: name,
    condition: {
      name: 'credits_low',
      threshold: lowBalance,
      balance: lowBalance,
    },
  }
}

export function toConversationEnded(
  exchange: StoreSource,
  { id, name }: Readonly<App>,
  ended: Readonly<Conversation>,
) {
  return {
    app_id: id,
    app_name: name,
    conversation: conversationPresenter(exchange)(ended),
  }
}

function generateTurn(world: LiveWorld, app: Readonly<App>): QuestionAndAnswer {
  const user = generateUser(world, app)
  const at = world.clock.now()
  return {
    app,
    conversation: {
      id: placeholderId('conv'),
      account: app.account,
      app: app.id,
      user: user.id,
      platform: 'web',
      created_at: at,
    },
    user,
    count: 2,
    question: 'How often should I water a ficus?',
    answer: 'Once a week.',
    at,
  }
}

export const conversationEvents = {
  'message.sent': /* @__PURE__ */ sampleOfApp(
    (world, app) => toMessageSent(generateTurn(world, app)),
    (world, app) => {
      const turns = newestOf(world, app).flatMap(
        (conversation) => lastTurn(world, app, conversation) ?? [],
      )
      const turn = turns.find(({ user }) => user !== undefined) ?? turns[0]
      return turn && toMessageSent(turn)
    },
  ),
  'condition.met': /* @__PURE__ */ sampleOfApp((_, app) => toConditionMet(app)),
  'conversation.ended': /* @__PURE__ */ sampleOfApp(
    (world, app) => endedNow(world, app, generateTurn(world, app).conversation),
    (world, app) => {
      const newest = newestOf(world, app)
      const ended = newest.find(({ ended_at }) => ended_at !== undefined) ?? newest[0]
      return ended && endedNow(world, app, ended)
    },
  ),
}

function endedNow(world: LiveWorld, app: Readonly<App>, conversation: Readonly<Conversation>) {
  return toConversationEnded(world, app, {
    ended_at: world.clock.now(),
    ...conversation,
  })
}

function newestOf(world: LiveWorld, app: Readonly<App>): Readonly<Conversation>[] {
  return world.collection(conversations).childrenOf(app.id).newest(maxConversationsSearched)
}

function lastTurn(
  world: LiveWorld,
  app: Readonly<App>,
  conversation: Readonly<Conversation>,
): QuestionAndAnswer | undefined {
  const sent = world.collection(messages).childrenOf(conversation.id)
  const [answer, question] = sent.newest(2)
  if (answer?.role !== 'assistant' || question?.role !== 'user') return undefined
  return {
    app,
    conversation,
    user: userOf(world, conversation),
    count: sent.size,
    question: question.content,
    answer: answer.content,
    at: answer.created_at,
  }
}
