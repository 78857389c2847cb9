import type { World } from 'greenhouse-mock'
import { waysOf } from '../refusals.ts'
import { created, deleted, sound, together, when, withBody, withQuery, type Cases, type Way } from '../ways.ts'

const bad = [
  { url: 'hooks' },
  { url: 'ftp://example.com/hook' },
  { url: 'https://user:password@example.com/hook' },
  { url: 'https://example.com/hook', events: [] },
]
const worse = [
  { url: 'https://example.com/hook', events: ['app.watered'] },
  { url: 'https://example.com/hook', enabled: 'yes' },
  { url: 7 },
]

/** A request that a disabled webhook refuses. */
function disabled(id: string): Way {
  const disable = async ({ records }: World) => {
    for (const webhook of records.webhooks.all()) await records.webhooks.update(webhook.id, { enabled: false })
  }
  return when(id, 'a webhook that is disabled', disable)
}

function badBodies(id: string): Way[] {
  return [...bad, ...worse].map((body) => withBody(id, body))
}

export const webhooks: Cases = {
  ...waysOf('webhooks.list', { 200: [sound('webhooks.list')], 400: [withQuery('webhooks.list', 'app_id=')] }),
  ...waysOf(
    'webhooks.create',
    together(created('webhooks.create'), {
      400: [
        ...badBodies('webhooks.create'),
        withBody('webhooks.create', {}),
        withBody('webhooks.create', { url: 'https://example.com/hook', app_id: 'app_none' }),
      ],
    }),
  ),
  ...waysOf('webhooks.get', { 200: [sound('webhooks.get')] }),
  ...waysOf('webhooks.update', { 200: [sound('webhooks.update')], 400: badBodies('webhooks.update') }),
  ...waysOf('webhooks.delete', deleted('webhooks.delete')),
  ...waysOf('webhooks.rotate-secret', { 200: [sound('webhooks.rotate-secret')] }),
  ...waysOf('webhooks.test', { 202: [sound('webhooks.test')], 400: [disabled('webhooks.test')] }),
  ...waysOf('deliveries.list', { 200: [sound('deliveries.list')], 400: [withQuery('deliveries.list', 'status=ok')] }),
  ...waysOf('deliveries.get', { 200: [sound('deliveries.get')] }),
  ...waysOf('deliveries.redeliver', { 202: [sound('deliveries.redeliver')], 400: [disabled('deliveries.redeliver')] }),
}
