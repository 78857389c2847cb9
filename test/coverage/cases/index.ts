import type { World } from 'greenhouse-mock'
import { builtInCatalogue } from '../../../src/catalogue/catalogue.ts'
import {
  but,
  changed,
  rejections,
  success,
  together,
  when,
  withBodies,
  withQueries,
  type Cases,
  type Way,
  type Ways,
} from '../ways.ts'

const newPlant = { id: 5000, name: 'Ficus' }
const existing = { id: 1, name: 'Ficus' }
const badPlants = [
  {},
  { id: 5000 },
  { name: 'Ficus' },
  { id: '5000', name: 'Ficus' },
  { id: 1.5, name: 'Ficus' },
  { id: 5000, name: 7 },
  existing,
]
const badConversations = [
  {},
  { user: { email: 'nobody' } },
  { user_id: 'usr_aaaaaaaaaaaaaaaa' },
  { platform: 'fax' },
  { user_id: '' },
  { user_id: 'usr_aaaaaaaaaaaaaaaa', user: { email: 'a@example.com' } },
]
const badMessages = [
  {},
  { content: '' },
  { content: 7 },
  { content: 'x'.repeat(32_769) },
  { content: 'x', stream: 'yes' },
]
const badDeployments = [
  { domain: 'no host' },
  { domain: '127.0.0.1' },
  { branding: { primary_color: 'green' } },
  { branding: { logo_url: 'logo.png' } },
  { domain: 'chat.orchids.example' },
]
const badAmounts = [0, -1, 1.5, 1_000_001, '10', null, true]
const badPurchases = [
  {},
  { amount: 10 },
  { payment_method: 'pm_ok' },
  ...badAmounts.map((amount) => ({ amount, payment_method: 'pm_ok' })),
  ...['9223372036854775807', '1e400'].map(
    (amount) => `{"amount":${amount},"payment_method":"pm_ok"}`,
  ),
  { amount: 100, payment_method: null },
  { amount: 100, payment_method: 'cash' },
  { amount: 100, payment_method: 'pm_declined' },
]
const badWebhooks = [
  { url: 'hooks' },
  { url: 'ftp://example.com/hook' },
  { url: 'https://user:password@example.com/hook' },
  { url: 'https://example.com/hook', events: [] },
  { url: 'https://example.com/hook', events: ['app.watered'] },
  { url: 'https://example.com/hook', enabled: 'yes' },
  { url: 7 },
  ...['app_none', 'app_7sm4hb54ca5qj6nu'].map((app_id) => ({
    url: 'https://example.com/hook',
    app_id,
  })),
]
const badRanges = [
  'interval=week',
  'interval=',
  'from=yesterday',
  'to=2026-02-28T25:00:00Z',
  'from=2026-03-02&to=2026-03-01',
  'from=1900-01-01&interval=hour',
]

function fillApps({ records }: World) {
  const dates = { created_at: 0, updated_at: 0 }
  const apps = [0, 1, 2, 3, 4].map((index) => ({
    id: `app_${index}`,
    account: 'acct_free',
    name: 'x',
    ...dates,
  }))
  records.apps.replace(apps)
}

function ended(id: string): Way {
  return changed(id, 'a conversation that has ended', async (sent, call) => {
    await call('POST', sent[1].replace(/(\/conversations\/[^/]+).*$/, '$1/end'))
    return sent
  })
}

function gated(id: string): Way[] {
  const downgrade = ({ records }: World) => records.accounts.update('acct_pro', { plan: 'lite' })
  const hidden = { body: { branding: { hide_powered_by: true } } }
  return [
    when(id, 'a custom domain on a plan below Pro', downgrade, {
      body: { domain: 'talk.example.com' },
    }),
    when(id, 'hide_powered_by on a plan below Pro Plus', () => undefined, hidden),
  ]
}

function disabled(id: string): Way {
  return when(id, 'a webhook that is disabled', async ({ records }) => {
    for (const webhook of records.webhooks.all())
      await records.webhooks.update(webhook.id, { enabled: false })
  })
}

const ranged = (id: string): Ways => ({
  200: withQueries(
    id,
    'interval=hour',
    'interval=day',
    'interval=month',
    'from=2026-01-01&to=2026-02-01',
  ),
  400: withQueries(id, ...badRanges),
})

const assuming = (id: string, assumption: string, value: string, options = {}) =>
  when(
    id,
    `with ${assumption}=${value}`,
    (world) => world.assume(assumption as never, value as never),
    options,
  )

/** The ways of operations beyond those that follow from their declaration. */
const own: Readonly<Record<string, (id: string) => Ways>> = {
  'plants.list': (id) => ({ 400: withQueries(id, 'limit=many') }),
  'plants.create': (id) => ({
    400: withBodies(id, ...badPlants),
    409: [assuming(id, 'plants.create.duplicate-id', '409', { body: existing })],
    413: [
      but(id, 'a body that is too large', { body: { ...newPlant, name: 'x'.repeat(2 ** 20) } }),
    ],
    415: [
      but(id, 'gzip', { headers: { 'content-encoding': 'gzip' } }),
      assuming(id, 'plants.body.type', '415', { headers: { 'content-type': 'text/plain' } }),
    ],
  }),
  'plants.delete': (id) => ({
    200: [assuming(id, 'plants.delete.status', '200')],
    400: [['an id that is no int64', ['DELETE', '/plants/9223372036854775808']]],
    403: [assuming(id, 'plants.delete.foreign', '403', { key: 'key_lite' })],
    404: [
      ['an unknown plant', ['DELETE', '/plants/999999']],
      but(id, "another account's", { key: 'key_lite' }),
    ],
  }),
  'apps.create': (id) => ({
    400: withBodies(id, {}, { name: '' }, { name: 7 }, { name: 'x', login_required: 'yes' }),
    403: [when(id, 'more apps than the plan permits', fillApps, { key: 'key_free' })],
  }),
  'apps.update': (id) => ({
    400: withBodies(id, { name: '' }, { name: null }, { login_required: null }, { model: 7 }),
  }),
  'usage.get': ranged,
  'usage.account': ranged,
  'conversations.list': (id) => ({
    400: withQueries(id, 'status=open', 'from=x', 'from=2026-03-02&to=2026-03-01', 'user_id='),
  }),
  'conversations.create': (id) => ({ 400: withBodies(id, ...badConversations) }),
  'conversations.end': (id) => ({ 400: [ended(id)] }),
  'messages.list': (id) => ({ 400: withQueries(id, 'role=system') }),
  'messages.create': (id) => ({
    200: withBodies(id, { content: 'Hello', stream: true }),
    400: [...withBodies(id, ...badMessages), ended(id)],
    403: [when(id, 'no credits left', (world) => world.records.credits.replace([]))],
  }),
  'webhooks.list': (id) => ({ 400: withQueries(id, 'app_id=') }),
  'webhooks.create': (id) => ({
    400: withBodies(id, ...badWebhooks, {}),
  }),
  'webhooks.update': (id) => ({ 400: withBodies(id, ...badWebhooks) }),
  'webhooks.test': (id) => ({ 400: [disabled(id)] }),
  'deliveries.list': (id) => ({ 400: withQueries(id, 'status=ok') }),
  'deliveries.redeliver': (id) => ({ 400: [disabled(id)] }),
  'deployments.list': (id) => ({ 400: withQueries(id, 'state=up') }),
  'deployments.create': (id) => ({ 400: withBodies(id, ...badDeployments), 403: gated(id) }),
  'deployments.update': (id) => ({ 400: withBodies(id, ...badDeployments), 403: gated(id) }),
  'subscription.update': (id) => ({
    400: withBodies(
      id,
      {},
      ...['gold', 'Pro', '__proto__', ['pro'], null].map((plan) => ({ plan })),
    ),
  }),
  'subscription.cancel': (id) => ({ 400: [but(id, 'the free plan', { key: 'key_free' })] }),
  'purchases.list': (id) => ({ 400: withQueries(id, 'status=done') }),
  'purchases.create': (id) => ({ 400: withBodies(id, ...badPurchases) }),
}

/** The ways to each status of each operation. */
export const cases: Cases = Object.fromEntries(
  builtInCatalogue.operations.map(({ id }) => [
    id,
    together(rejections(id), success(id), own[id]?.(id) ?? {}),
  ]),
)
