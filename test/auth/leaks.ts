import type { Greenhouse } from 'greenhouse-mock'
import { startReceiver } from '../webhooks/receiver.ts'

export const own = 'ABCDEFGH12345678IJKLMNOP'
const long = 'own-' + 'q'.repeat(146)
export const looksLike = {
  stripe: ['sk', 'live', '51QxGreenhouse0aBcDeF'].join('_'),
  restricted: ['rk', 'test', '51QxGreenhouse0aBcDeF'].join('_'),
  webhook: ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  openai: ['sk', 'proj', 'abcdefgh12345678'].join('-'),
  github: ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_'),
  aws: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  google: ['AIza', 'SyA1234567890abcdefghijklmnopqrstuv'].join(''),
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'.repeat(9)].join('.'),
}
export const secrets = [...Object.values(looksLike), own, long]

const hex = (text: string) => [...text].map((one) => '%' + one.charCodeAt(0).toString(16)).join('')

/** What a text shows of the secrets, in any spelling and also in part. */
export function leaksOf(outs: Record<string, string>, all: readonly string[] = secrets): string[] {
  return Object.entries(outs).flatMap(([out, text]) =>
    all.flatMap((secret) =>
      [
        secret.slice(0, secret === own || secret === looksLike.aws ? 8 : 12),
        hex(secret),
        btoa(`user:${secret}`),
      ]
        .filter((spelling) => text.includes(spelling))
        .map(
          (spelling) =>
            `${out}: …${text.slice(Math.max(0, text.indexOf(spelling) - 80)).slice(0, 140)}…`,
        ),
    ),
  )
}

type Sent = [path: string, init?: RequestInit]
const auth = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
const post = (body: BodyInit, path = '/v1/apps'): Sent => [
  path,
  { method: 'POST', headers: auth, body },
]
const header =
  (name: string) =>
  (it: string): Sent => ['/v1/apps', { headers: { ...auth, [name]: it } }]
export const names =
  'Authorization Proxy-Authorization Cookie X-Api-Key Accept Content-Type Content-Encoding Authorisation Idempotency-Key X-Greenhouse-Scenario X-Greenhouse-World Referer X-Request-Id Origin'

/** Fixtures in which every secret is a key, so that Greenhouse knows it. */
export const withKeys = {
  extends: 'default' as const,
  keys: secrets.map((secret) => ({ secret, account: 'acct_pro' })),
}

/** A secret in every place of a request. */
const places: Record<string, (secret: string, encoded: string) => Sent> = {
  'path segment': (_, it) => [`/hooks/${it}`],
  'id in a path': (_, it) => [`/v1/apps/${it}`, { headers: auth }],
  'path that a message cuts': (_, it) => [`/${'x'.repeat(88)}/${it}`],
  'escaped path': (it) => [`/hooks/${hex(it)}`],
  world: (_, it) => [`/~${it}/plants`],
  'query name': (_, it) => [`/plants?${it}=1&${it}=2`],
  'query name that a message cuts': (_, it) => [`/plants?${'x'.repeat(85)}.${it}=1`],
  'query value, escaped twice': (it) => [`/plants?q=.${hex(hex(it))}.`],
  'text of a header': (it) => header('x-whatever')(`a ${it} b`),
  'escaped field': (it) => post(`{"name":"${hex(it).replaceAll('%', '\\u00')}"}`),
  'escaped query name': (it) => [`/plants?${hex(it)}=1`],
  'query value': (_, it) => [`/plants?q=${it}&limit=${it}&limit=${it}`],
  ...Object.fromEntries(names.split(' ').map((name) => [name, header(name)])),
  'header name': (it) => header(it)('1'),
  'Basic credentials': (it) => header('authorization')(`Basic ${btoa(`user:${it}`)}`),
  'field names': (it) =>
    post(JSON.stringify({ name: 'x', [it]: 1, [`${'x'.repeat(85)}.${it}`]: 1 })),
  'field values': (it) => post(JSON.stringify({ name: it, model: it, app_id: it, user_id: it })),
  'nested fields': (it) => post(JSON.stringify({ name: 'x', branding: { [it]: [{ a: it }] } })),
  plant: (it) => post(JSON.stringify({ id: 7, name: it, tag: it, [it]: it }), '/plants'),
  form: (it) => post(new URLSearchParams({ [it]: '1', a: it })),
  'broken JSON': (it) => post(`{"${it}": ${it}`),
  bytes: (it) => post(Uint8Array.from([255, ...Buffer.from(it)])),
  webhook: (_, it) =>
    post(
      JSON.stringify({ url: `http://127.0.0.1:9/?access_token=${it}`, events: ['app.deleted'] }),
      '/v1/webhooks',
    ),
  'webhook with a user': (_, it) =>
    post(JSON.stringify({ url: `http://user:${it}@127.0.0.1:9/` }), '/v1/webhooks'),
}
/** No client over a socket can send these. */
const methods = (it: string): Sent[] => ['/plants', '/plnts'].map((path) => [path, { method: it }])
const headers = { 'Set-Cookie': `a=${looksLike.github}`, 'X-Own': looksLike.jwt }
const scenario = {
  respond: [
    { on: 'plants.list' as const, status: 200, headers, body: { a: looksLike.aws }, times: 1 },
  ],
}

/** Of each secret, the main places; of two without a beginning that is public, all. */
const requestsWith = (it: string): Sent[] =>
  Object.entries(places)
    .filter(
      ([place]) =>
        it === own || it === looksLike.aws || /^(path segment|query names?|field \w+)$/.test(place),
    )
    .map(([, make]) => make(it, encodeURIComponent(it)))
export const all = secrets.flatMap(requestsWith)

/** Puts secrets into a Greenhouse and sends all requests. Returns the secrets that it made. */
export async function plant(greenhouse: Greenhouse): Promise<string[]> {
  const world = greenhouse.world()
  const send = ([path, init]: Sent) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init))
  const { secret: generated } = await world.createKey({ account: 'acct_pro' })
  for (const secret of secrets) world.records.keys.create({ secret, account: 'acct_pro' })
  const { url } = await startReceiver(() => ({ status: 200, body: looksLike.stripe }))
  const hook = JSON.stringify({
    url: `${url}?access_token=${looksLike.openai}`,
    events: ['app.created'],
  })
  const { secret } = (await (await send(post(hook, '/v1/webhooks'))).json()) as { secret: string }
  world.use(scenario)
  for (const sent of [
    ...all,
    ...[generated, secret].flatMap(requestsWith),
    ...secrets.flatMap(methods),
  ]) {
    await (await send(sent)).text()
    await new Promise(setImmediate)
  }
  await world.settled()
  return [...secrets, generated, secret]
}
