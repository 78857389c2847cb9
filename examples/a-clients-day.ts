/**
 * A client's whole day with the app management API, over HTTP and again through MSW: the same
 * client, the same transcript.
 *
 *     node examples/a-clients-day.ts        (Node 22.18 or newer runs TypeScript; older: npx tsx examples/a-clients-day.ts)
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { createGreenhouse, type Greenhouse, type World } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { Webhook } from 'standardwebhooks'

/** What a webhook's receiver got. */
interface Delivery {
  headers: Record<string, string>
  body: string
}

/** Where a client finds the API, and where it is told of events. */
interface Place {
  /** Area B's base URL. */
  apps: string
  receiver: string
  received: Delivery[]
}

/**
 * A client's day at a place; `world` only moves the clock. Returns every request with its reply,
 * one a line.
 */
async function live({ apps, receiver, received }: Place, world: World): Promise<string[]> {
  const transcript: string[] = []
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(apps + path, {
      method,
      headers: {
        authorization: 'Bearer key_pro',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = (await response.text()).replaceAll(receiver, '<receiver>')
    const limits = ['limit', 'remaining']
      .map((name) => response.headers.get(`x-ratelimit-${name}`))
      .join('/')
    transcript.push(
      `${method} ${path} ${JSON.stringify(body ?? null).replaceAll(receiver, '<receiver>')} -> ${response.status} [${limits}] ${text}`,
    )
    return response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text
  }
  const later = async (time: string) => {
    world.clock.advance(time)
    await world.settled()
  }
  const hear = (secret: string) => {
    for (const { headers, body } of received.splice(0)) {
      // `verify` would compare the timestamp with the machine's clock; this world has its own.
      const expected = new Webhook(secret).sign(
        headers['webhook-id']!,
        new Date(Number(headers['webhook-timestamp']) * 1_000),
        body,
      )
      if (!headers['webhook-signature']!.split(' ').includes(expected))
        throw new Error(`Not signed with our secret: ${body}`)
      transcript.push(
        `received ${headers['webhook-id']} ${body.replaceAll(receiver, '<receiver>')}`,
      )
    }
  }

  const app = await call('POST', '/apps', { name: 'garden-guide', display_name: 'Garden Guide' })
  const webhook = await call('POST', '/webhooks', {
    url: receiver,
    events: [
      'message.sent',
      'deployment.live',
      'subscription.updated',
      'subscription.canceled',
      'credits.purchased',
      'app.deleted',
    ],
  })

  const conversation = await call('POST', `/apps/${app.id}/conversations`, {
    user: { email: 'ada@example.com', name: 'Ada' },
    platform: 'web',
  })
  const messages = `/apps/${app.id}/conversations/${conversation.id}/messages`
  await call('POST', messages, { content: 'How often should I water a fern?' })
  await call('POST', messages, { content: 'And in winter?', stream: true })
  await call('GET', messages)
  await call('GET', `/apps/${app.id}/usage`)
  await later('1s')
  hear(webhook.secret)

  const deployment = await call('POST', `/apps/${app.id}/deployments`, {
    domain: 'chat.ada.example',
    branding: { name: 'Ada', primary_color: '#2f855a' },
  })
  await call('POST', `/apps/${app.id}/deployments/${deployment.id}/verify`)
  await later('5m')
  await call('GET', `/apps/${app.id}/deployments/${deployment.id}`)
  hear(webhook.secret)

  await call('PUT', '/subscription', { plan: 'pro_plus' })
  await call('GET', '/account')
  const purchase = await call('POST', '/credits/purchases', {
    amount: 100,
    payment_method: 'pm_ok',
  })
  await later('5s')
  await call('GET', `/credits/purchases/${purchase.id}`)
  await call('GET', '/credits')
  await call('POST', '/credits/purchases', { amount: 100, payment_method: 'pm_declined' })
  hear(webhook.secret)

  await call('DELETE', '/subscription')
  await later('32d')
  await call('GET', '/account')
  await call('DELETE', `/apps/${app.id}`)
  for (const gone of [
    '',
    '/users',
    '/usage',
    '/conversations',
    `/conversations/${conversation.id}/messages`,
    `/deployments/${deployment.id}`,
  ])
    await call('GET', `/apps/${app.id}${gone}`)
  await later('1s')
  hear(webhook.secret)
  return transcript
}

function createWorld(): { greenhouse: Greenhouse; world: World } {
  const greenhouse = createGreenhouse({ seed: 1, now: '2026-03-01T12:00:30Z' })
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set('2026-03-01T12:00:30Z')
  return { greenhouse, world }
}

/** The day over HTTP: a server, and a receiver on a port of its own. */
export async function liveOverHttp(): Promise<string[]> {
  const { greenhouse, world } = createWorld()
  const received: Delivery[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const server = await serve(greenhouse)
  try {
    return await live(
      {
        apps: `${server.url}/v1`,
        receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
        received,
      },
      world,
    )
  } finally {
    await server.close()
    receiver.close()
  }
}

/**
 * The day through MSW: nothing listens; a handler of the client's own catches what the webhook
 * sends.
 */
export async function liveThroughMsw(): Promise<string[]> {
  const { greenhouse, world } = createWorld()
  const received: Delivery[] = []
  const receiver = http.post('https://client.example/hook', async ({ request }) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response(null, { status: 204 })
  })
  const server = setupServer(
    ...createHandlers(greenhouse, { apps: 'https://api.example/v1' }),
    receiver,
  )
  server.listen({ onUnhandledRequest: 'error' })
  try {
    return await live(
      { apps: 'https://api.example/v1', receiver: 'https://client.example/hook', received },
      world,
    )
  } finally {
    server.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [overHttp, throughMsw] = [await liveOverHttp(), await liveThroughMsw()]
  console.log(overHttp.join('\n'))
  const differing = overHttp.findIndex((line, index) => line !== throughMsw[index])
  if (differing >= 0 || overHttp.length !== throughMsw.length)
    throw new Error(`MSW told another story:\n${overHttp[differing]}\n${throughMsw[differing]}`)
  console.log(`\n${overHttp.length} lines, the same over HTTP and through MSW.`)
}
