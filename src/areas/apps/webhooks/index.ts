import { givenOf } from '../../../core/contract/options.ts'
import * as z from 'zod/mini'
import { invalidRequest } from '../../../core/contract/errors.ts'
import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { notEmpty, choiceOf } from '../../../core/pipeline/list-query.ts'
import { quote } from '../../../core/text/messages.ts'
import { eventTypes } from '../../event-types.ts'
import { accepted } from '../assumptions.ts'
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
import { overlapOf } from './assumptions.ts'
import { apps } from '../apps/schemas.ts'
import { deliverTo } from './delivery/deliver.ts'
import {
  cancelAttempt,
  failPending,
  deliveryLifecycle,
  pendingDeliveries,
  sendAgain,
} from './delivery/engine.ts'
import { toWebhookTest } from './events.ts'
import {
  deliveryKind,
  presentDelivery,
  presenterFor,
  presentWebhook,
  webhookKind,
} from './present.ts'
import {
  createSecret,
  deliveries,
  deliverySchema,
  deliveryStatuses,
  newWebhookSchema,
  type Webhook,
  webhookChangesSchema,
  webhooks,
  webhookSchema,
  webhookTestSchema,
  webhookWithSecretSchema,
} from './schemas.ts'

/**
 * The most webhooks that an account can create: an event goes to all of them in one turn of the
 * event loop.
 */
const max = 1_000

/** The most former secrets that sign; a further rotation ends the oldest. */
const maxFormer = 4

export const webhookResource = defineResource({
  operations: [
    declareListRecords(webhookKind, {
      id: 'webhooks.list',
      title: 'List webhooks',
      scope: 'webhooks:read',
      filters: {
        app_id: {
          description: 'Webhooks of this app only.',
          schema: notEmpty,
        },
      },
      matches: fieldFilter('app_id', 'app'),
    }),

    /**
     * Subscribes a URL to events. Only the replies of this operation and of a rotation contain the
     * secret.
     */
    declareCreate({
      id: 'webhooks.create',
      path: '/webhooks',
      title: 'Create a webhook',
      scope: 'webhooks:write',
      body: newWebhookSchema,
      example: {
        url: 'http://127.0.0.1:3000/hooks',
        events: ['app.created', 'message.sent'],
      },
      result: webhookWithSecretSchema,
      create(exchange, { body }) {
        const { url, events = eventTypes, app_id = null, enabled = true } = body
        if (exchange.collection(webhooks).ownedBy(exchange.caller.account.id).size >= max)
          throw invalidRequest(`The account has ${max} webhooks already.`)
        const webhook = insertRecord(exchange, webhookKind, {
          app: namedApp(exchange, app_id),
          url,
          events: [...new Set(events)],
          enabled,
          secret: createSecret(exchange.world),
          updated_at: exchange.now,
        })
        return {
          ...presentWebhook(webhook),
          secret: webhook.secret,
        }
      },
    }),

    declareGetRecord(webhookKind, {
      id: 'webhooks.get',
      title: 'Get a webhook',
      scope: 'webhooks:read',
    }),

    /**
     * Changes the fields that are sent. A disabled webhook gets no more attempts, not even due
     * ones.
     */
    declareOperation({
      id: 'webhooks.update',
      method: 'PATCH',
      path: '/webhooks/{webhook_id}',
      title: 'Update a webhook',
      scope: 'webhooks:write',
      body: webhookChangesSchema,
      example: { enabled: false },
      result: webhookSchema,
      handle(exchange, { params, body }) {
        const webhook = recordOfPath(exchange, webhookKind, params)
        const { url, events, app_id, enabled } = body
        const changes = givenOf({
          url,
          events: events && [...new Set(events)],
          app: app_id === undefined ? undefined : namedApp(exchange, app_id),
          enabled,
          updated_at: exchange.now,
        })
        const updated = exchange.collection(webhooks).amend(webhook, changes)
        if (enabled === false) failPending(exchange.world, webhook.id)
        return {
          status: 200,
          body: presentWebhook(updated),
        }
      },
    }),

    declareDeleteRecord(webhookKind, {
      id: 'webhooks.delete',
      title: 'Delete a webhook',
      scope: 'webhooks:write',
      deleted(exchange, { id }) {
        for (const delivery of exchange.collection(deliveries).deleteChildren([id]))
          cancelAttempt(exchange.world, delivery)
      },
    }),

    declareOperation({
      id: 'webhooks.rotate-secret',
      method: 'POST',
      path: '/webhooks/{webhook_id}/rotate-secret',
      title: "Rotate a webhook's secret",
      scope: 'webhooks:write',
      result: webhookWithSecretSchema,
      handle(exchange, { params }) {
        const webhook = recordOfPath(exchange, webhookKind, params)
        const { world, now } = exchange
        const secret = createSecret(world)
        const former = [
          { secret: webhook.secret, until: now + overlapOf(world) },
          ...(webhook.former_secrets ?? []),
        ]
        const former_secrets = former.filter(({ until }) => until > now).slice(0, maxFormer)
        const rotated = exchange.collection(webhooks).amend(webhook, {
          secret,
          former_secrets,
          updated_at: now,
        })
        return {
          status: 200,
          body: { ...presentWebhook(rotated), secret },
        }
      },
    }),

    /**
     * Sends the event `webhook.test` to a webhook, even if it is not subscribed. The reply comes
     * before the first attempt.
     */
    declareOperation({
      id: 'webhooks.test',
      method: 'POST',
      path: '/webhooks/{webhook_id}/test',
      title: 'Send a test event to a webhook',
      scope: 'webhooks:write',
      result: z.omit(deliverySchema, { attempts: true }),
      statuses: accepted,
      handle(exchange, { params }) {
        const webhook = recordOfPath(exchange, webhookKind, params)
        assertEnabled(webhook)
        const { account } = webhook
        const data = toWebhookTest(webhook, exchange.now)
        const delivery = deliverTo(
          exchange.world,
          webhook,
          {
            type: 'webhook.test',
            at: exchange.now,
            account,
            app: webhook.app,
            data,
          },
          exchange.effectiveSettings,
        )
        const { attempts: _, ...body } = presentDelivery(delivery)
        return {
          status: 202,
          body,
        }
      },
    }),

    declareListRecords(deliveryKind, {
      id: 'deliveries.list',
      title: "List a webhook's deliveries",
      scope: 'webhooks:read',
      filters: {
        status: {
          description: 'Deliveries with this status.',
          schema: choiceOf(deliveryStatuses),
        },
      },
      matches: fieldFilter('status'),
    }),

    declareGetRecord(deliveryKind, {
      id: 'deliveries.get',
      title: 'Get a delivery',
      scope: 'webhooks:read',
    }),

    /**
     * Sends a delivery again, in any state, with the same webhook-id. If it fails, the retry
     * schedule starts again. The reply comes before the attempt. Each accepted call causes one
     * attempt, after any attempt that is due or running.
     */
    declareOperation({
      id: 'deliveries.redeliver',
      method: 'POST',
      path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
      title: 'Send a delivery again',
      scope: 'webhooks:write',
      result: deliverySchema,
      statuses: accepted,
      handle(exchange, { params }) {
        const webhook = recordOfPath(exchange, webhookKind, params)
        const delivery = recordOfPath(exchange, deliveryKind, params, webhook)
        assertEnabled(webhook)
        const pending = sendAgain(
          exchange.world,
          exchange.collection(deliveries),
          delivery,
          exchange.now,
        )
        return {
          status: 202,
          body: presenterFor(exchange)(pending),
        }
      },
    }),
  ],
  eventSchemas: { 'webhook.test': webhookTestSchema },
  collections: { webhooks, deliveries },
  lifecycles: [deliveryLifecycle],
  pending: [pendingDeliveries],
  schemas: {
    Webhook: webhookSchema,
    WebhookWithSecret: webhookWithSecretSchema,
    NewWebhook: newWebhookSchema,
    WebhookChanges: webhookChangesSchema,
    Delivery: deliverySchema,
  },
})

/** @throws ApiError 400 if the app does not exist or belongs to another account. */
function namedApp(exchange: AuthenticatedExchange, id: string | null): string | null {
  if (id === null || exchange.collection(apps).get(id)?.account === exchange.caller.account.id)
    return id
  throw invalidRequest(`app_id must be the id of an app of the account, and ${quote(id)} is not.`)
}

function assertEnabled({ enabled }: Readonly<Webhook>): void {
  if (!enabled)
    throw invalidRequest(
      'The webhook is disabled. Enable it first: PATCH it with {"enabled": true}.',
    )
}
