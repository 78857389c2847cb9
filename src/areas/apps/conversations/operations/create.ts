import { explainNotFound } from '../../../../core/pipeline/explain-not-found.ts'
import { ApiError } from '../../../../core/contract/errors.ts'
import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import { appKind } from '../../apps/present.ts'
import type { App } from '../../apps/schemas.ts'
import { toUserSignedUp } from '../../users/events.ts'
import { userKind } from '../../users/present.ts'
import { users, type User } from '../../users/schemas.ts'
import { conversationKind, conversationPresenter } from '../present.ts'
import { conversationSchema, newConversationSchema } from '../schemas.ts'
import { quote } from '../../../../core/text/messages.ts'
import { declareCreate, recordOfPath, insertRecord } from '../../declare.ts'

/** Starts a conversation: with a user by id or by e-mail address (a new address signs up a user), or without a user. */
export const createConversation = declareCreate({
  id: 'conversations.create',
  path: '/apps/{app_id}/conversations',
  title: 'Start a conversation',
  scope: 'apps:write',
  body: newConversationSchema,
  exclusive: ['user_id', 'user'],
  bodyIsOptional: true,
  example: { user: { email: 'sam@example.com', name: 'Sam' }, platform: 'web' },
  result: conversationSchema,
  create(exchange, { params, body }) {
    const app = recordOfPath(exchange, appKind, params)
    if (body.user_id && body.user)
      throw new ApiError('invalid_request', 'user_id and user must not be sent together: send one of them.')
    const user = body.user_id
      ? knownUser(exchange, app, body.user_id)
      : body.user
        ? userByEmail(exchange, app, body.user)
        : null
    if (!user && app.login_required)
      throw new ApiError('invalid_request', 'user_id or user is required: the app requires its users to log in.')
    const conversation = insertRecord(exchange, conversationKind, {
      app: app.id,
      user: user?.id ?? null,
      platform: body.platform ?? 'api',
    })
    return conversationPresenter(exchange)(conversation)
  },
})

function knownUser(exchange: Exchange, app: Readonly<App>, id: string): Readonly<User> {
  const user = exchange.collection(users).get(id)
  if (user?.app === app.id) return user
  throw new ApiError(
    'invalid_request',
    `user_id must be the id of a user of the app, and ${quote(id)} is not.`,
  ).because(explainNotFound(exchange, users, id, app.id))
}

function userByEmail(
  exchange: Exchange,
  app: Readonly<App>,
  { email, name }: { email: string; name?: string | undefined },
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
