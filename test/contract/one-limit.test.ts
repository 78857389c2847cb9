import { beforeAll, expect, test } from 'vitest'
import { runSource } from '../../build/code.mjs'
import type { createOpenApi as CreateOpenApi } from '../../src/contract/document/index.ts'
import type { verify as Verify } from '../../src/contract/verify/verify.ts'
import type { createGreenhouse as CreateGreenhouse } from '../../src/index.ts'

interface Source {
  readonly createGreenhouse: typeof CreateGreenhouse
  readonly createOpenApi: typeof CreateOpenApi
  readonly verify: typeof Verify
}

interface Limit {
  /** The one place in the source where the limit stands, and what it becomes. */
  readonly change: readonly [file: string, from: string, to: string]
  /** The value of an assumption under which it applies. */
  readonly assumed?: readonly [id: string, value: string]
  /** A request that only the changed limit refuses. */
  readonly request: readonly [
    target: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ]
  readonly sentence: string
  /** Where the document has it. */
  readonly document: readonly [path: string, value: unknown]
}

const app = '/v1/apps/app_7k2mq9xvb4tzr1cd'
const url = (length: number) =>
  `https://example.com/${'u'.repeat(length - 'https://example.com/'.length)}`
const component = (name: string, field: string, rule: string) =>
  `components.schemas.${name}.properties.${field}.${rule}`

const limits: Readonly<Record<string, Limit>> = {
  'the length of the name of a plant': {
    change: ['areas/plants/assumptions.ts', "'1-255'", "'1-200'"],
    assumed: ['plants.name.length', '1-200'],
    request: ['POST /plants', { id: 5, name: 'n'.repeat(201) }],
    sentence: 'name must have at most 200 characters.',
    document: [component('NewPlant', 'name', 'maxLength'), 200],
  },
  'the length of any text of an app': {
    change: ['areas/apps/assumptions.ts', "'1000']", "'900']"],
    assumed: ['apps.text-length', '900'],
    request: ['POST /v1/apps', { name: 'n'.repeat(901) }],
    sentence: 'name must have at most 900 characters.',
    document: [component('NewApp', 'description', 'maxLength'), 900],
  },
  'the number of credits that one can buy': {
    change: ['areas/apps/payments/schemas.ts', 'z.lte(1_000_000)', 'z.lte(900_000)'],
    request: ['POST /v1/credits/purchases', { amount: 900_001, payment_method: 'pm_ok' }],
    sentence: 'amount must be an integer from 1 to 900000.',
    document: [component('NewPurchase', 'amount', 'maximum'), 900_000],
  },
  'the length of the URL of a webhook': {
    change: ['areas/apps/webhooks/schemas.ts', 'z.maxLength(2_048)', 'z.maxLength(500)'],
    request: ['POST /v1/webhooks', { url: url(501) }],
    sentence: 'url must have at most 500 characters.',
    document: [component('NewWebhook', 'url', 'maxLength'), 500],
  },
  'the length of a domain': {
    change: ['areas/apps/deployments/schemas.ts', 'z.maxLength(253,', 'z.maxLength(30,'],
    request: [`POST ${app}/deployments`, { domain: 'chat.a-rather-long-name.example.com' }],
    sentence:
      'domain must be a hostname such as "chat.example.com"; write letters other than a-z in Punycode (xn--…).',
    document: [component('NewDeployment', 'domain', 'maxLength'), 30],
  },
  'the platforms of a conversation': {
    change: ['areas/apps/conversations/schemas.ts', "['web', 'ios',", "['desktop', 'ios',"],
    request: [`POST ${app}/conversations`, { platform: 'web' }],
    sentence: 'platform must be one of "desktop", "ios", "android", "api".',
    document: [
      component('NewConversation', 'platform', 'enum'),
      ['desktop', 'ios', 'android', 'api'],
    ],
  },
  'the length of an Idempotency-Key': {
    change: ['core/pipeline/input.ts', 'maxLength: 255', 'maxLength: 40'],
    request: ['POST /v1/apps', { name: 'Shop' }, { 'Idempotency-Key': 'k'.repeat(41) }],
    sentence: 'Idempotency-Key must have at most 40 characters.',
    document: ['paths./apps.post.parameters.0.schema.maxLength', 40],
  },
  'the number of items on a page': {
    change: ['core/pipeline/list-query.ts', 'greatestLimit = 100', 'greatestLimit = 50'],
    request: ['GET /v1/apps?limit=51'],
    sentence: 'limit must be an integer from 1 to 50.',
    document: ['paths./apps.get.parameters.0.schema.maximum', 50],
  },
}

const names = Object.keys(limits)
const changes = Object.values(limits).map(({ change }) => change)
const assumptions = Object.fromEntries(
  Object.values(limits).flatMap(({ assumed }) => (assumed ? [assumed] : [])),
)

let source: Source
const applied: string[] = []

beforeAll(async () => {
  source = (await runSource(
    `
    export { createGreenhouse } from './index.ts'
    export { createOpenApi } from './contract/document/index.ts'
    export { verify } from './contract/verify/verify.ts'`,
    (file: string, text: string) => {
      for (const [changed, from, to] of changes) {
        if (changed !== file || text.split(from).length !== 2) continue
        applied.push(from)
        text = text.replace(from, to)
      }
      return text
    },
  )) as unknown as Source
  expect(applied.toSorted()).toEqual(changes.map(([, from]) => from).toSorted())
})

test.each(names)(
  '%s, changed in one place, changes what the service refuses and what the judge says',
  async (name) => {
    const { request, sentence } = limits[name]!
    const [target, body, headers] = request
    const [method, path] = target.split(' ')
    const greenhouse = source.createGreenhouse({ assumptions })
    const answer = await greenhouse.fetch(
      new Request(`http://greenhouse.test${path}`, {
        method: method!,
        headers: {
          Authorization: 'Bearer key_pro',
          'Content-Type': 'application/json',
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
    const answered: any = await answer.json()
    expect([answer.status, answered.message ?? answered.error.message]).toEqual([400, sentence])
    expect(
      greenhouse
        .world()
        .journal.violations()
        .map(({ message }) => message),
    ).toEqual([sentence])
  },
)

test('limits that are changed in one place change in the document', async () => {
  const document = await source.createOpenApi({ assumptions, examples: false })
  for (const name of names) {
    const [path, value] = limits[name]!.document
    expect(
      path.split('.').reduce((part, field) => part[field], document as any),
      name,
    ).toEqual(value)
  }
})

test('limits that are changed in one place change what verify sends and what it finds', async () => {
  const greenhouse = source.createGreenhouse({ assumptions })
  const ids = Object.keys(assumptions)
  const { probes } = await source.verify({
    targets: { plants: 'http://greenhouse.test', apps: 'http://greenhouse.test/v1' },
    key: 'key_pro',
    async send({ url: asked, method, headers, body }) {
      const init: RequestInit = { method, headers, body: body as string }
      const answer = await greenhouse.fetch(new Request(asked, init))
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text: await answer.text(),
      }
    },
    rate: Infinity,
    timeout: 30_000,
    now: () => 0,
    wait: async () => undefined,
    allowWrites: true,
    allowSpending: false,
    rateLimit: false,
    slow: false,
    only: (id) => ids.includes(id),
  })
  expect(Object.fromEntries(probes.map((probe) => [probe.id, probe]))).toMatchObject({
    'plants.name.length': {
      value: '1-200',
      from: 'of names of 0, 200, 201 characters it accepts 200',
    },
    'apps.text-length': {
      value: '900',
      from: 'of strings of 900, 901, 16384, 16385 characters it accepts 900',
    },
  })
})
