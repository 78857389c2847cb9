// Uses a server while timers are faked: none of the steps may wait for a faked timer.
import { createServer, request } from 'node:http'
import { connect } from 'node:net'

/** The result of `exercise` if no step waits forever. */
export const expected = {
  listed: 200,
  heldBack: 200,
  streamed: 'message.completed',
  event: 'a journal entry',
  delivered: ['app.created'],
  fetched: 200,
  closed: true,
}

/** @param entries the package's exports `createGreenhouse` and `serve` */
export async function exercise({ createGreenhouse, serve }) {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const server = await serve(greenhouse)
  const call = (method, path, body, headers = {}) => ask(server.port, method, path, body, headers)

  const listed = (await call('GET', '/plants')).status
  const heldBack = (
    await call('GET', '/plants', undefined, { 'x-greenhouse-scenario': 'slow:ms=20' })
  ).status

  const [app] = JSON.parse((await call('GET', '/v1/apps')).text).data
  const { id } = JSON.parse((await call('POST', `/v1/apps/${app.id}/conversations`, {})).text)
  const { text } = await call('POST', `/v1/apps/${app.id}/conversations/${id}/messages`, {
    content: 'Hi',
    stream: true,
  })
  const streamed = /event: (message\.completed)/.exec(text)?.[1]

  const events = await open(server.port, '/__greenhouse/worlds/default/journal/stream')
  const first = events.next()
  await call('GET', '/plants')
  const event = (await first).includes('plants.list') ? 'a journal entry' : 'none'
  events.end()

  const delivered = []
  const receiver = createServer(async (incoming, reply) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    delivered.push(JSON.parse(body).type)
    reply.end()
  })
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${receiver.address().port}/hook`
  await call('POST', '/v1/webhooks', { url: hook, events: ['app.created'] })
  await call('POST', '/v1/apps', { name: 'helper' })
  await world.settled()
  receiver.close()

  const fetched = greenhouse.fetch && globalThis.Response ? await fetchDirectly(greenhouse) : 200

  // A silent connection keeps a server from closing, until the server's patience ends.
  const silent = connect(server.port, '127.0.0.1').on('error', () => undefined)
  await new Promise((resolve) => silent.on('connect', resolve))
  silent.write('GET /plants HTTP/1.1\r\n')
  await server.close()
  silent.destroy()
  return { listed, heldBack, streamed, event, delivered, fetched, closed: true }
}

async function fetchDirectly(greenhouse) {
  const reply = await greenhouse.fetch(
    new Request('http://greenhouse.test/v1/apps', {
      headers: { Authorization: 'Bearer key_pro', 'X-Greenhouse-Scenario': 'slow:ms=20' },
    }),
  )
  await reply.text()
  return reply.status
}

function ask(port, method, path, body, headers) {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const all = {
      authorization: 'Bearer key_pro',
      ...(text && { 'content-type': 'application/json' }),
      ...headers,
    }
    request(
      { port, host: '127.0.0.1', method, path, headers: all, agent: false },
      async (reply) => {
        let received = ''
        for await (const chunk of reply) received += chunk
        resolve({ status: reply.statusCode, text: received })
      },
    )
      .on('error', reject)
      .end(text)
  })
}

/** Opens a stream of events. `next` waits for text that contains `plants.list`. */
async function open(port, path) {
  const outgoing = request({ port, host: '127.0.0.1', path, agent: false }).on(
    'error',
    () => undefined,
  )
  const reply = await new Promise((resolve) => outgoing.on('response', resolve).end())
  let text = ''
  let tell
  reply.on('data', (chunk) => {
    text += chunk
    if (text.includes('plants.list')) tell?.(text)
  })
  return {
    next: () => new Promise((resolve) => (tell = resolve)),
    end: () => outgoing.destroy(),
  }
}
