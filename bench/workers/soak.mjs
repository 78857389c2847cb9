import { createServer, request as send, Agent } from 'node:http'
import { once } from 'node:events'
import { answerCalls } from './calls.mjs'

answerCalls({ open, run })

const worlds = 20_000
const scenarios = [
  'slow:ms=1',
  'flaky',
  'server-error',
  'rate-limited-plan',
  'malformed-plant',
  'stale-replies',
  'every-third-fails',
  'wrong-rate-limit-headers',
]

let receiver

/** Starts what webhooks are sent to: it refuses three in four, and answers the fourth one never. */
async function open() {
  let count = 0
  receiver = createServer((request, response) => {
    request.resume()
    if (++count % 4 > 0) response.writeHead(500).end('no')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  return { port: receiver.address().port }
}

/**
 * Keeps `connections` busy for some time: lists, creations, webhooks, scenarios and new worlds, in
 * no order but that of `seed`.
 */
async function run({ port, connections, milliseconds, seed }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const hook = `http://127.0.0.1:${receiver.address().port}/hook`
  const random = createRandom(seed)
  const counts = {}
  const until = Date.now() + milliseconds
  let number = 0
  const one = async () => {
    while (Date.now() < until) {
      const [method, path, headers, body] = choose(random, ++number, hook)
      const status = await ask(agent, port, method, path, headers, body).catch(() => 'failed')
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  agent.destroy()
  return { counts }
}

function choose(random, number, hook) {
  const world = `e${Math.floor(random() * worlds)}`
  const key = { Authorization: 'Bearer key_pro_plus' }
  const dice = random() * 100
  if (dice < 55) return ['GET', `/~${world}/plants?limit=20`, key]
  if (dice < 70)
    return [
      'POST',
      `/~${world}/plants`,
      key,
      { id: 1_000 + number, name: `Plant ${number}`, tag: 'soak' },
    ]
  if (dice < 76)
    return [
      'GET',
      `/~${world}/v1/apps`,
      {
        ...key,
        'X-Greenhouse-Scenario': `${scenarios[number % scenarios.length]}, flaky:failures=${number % 97}`,
      },
    ]
  if (dice < 82) return ['POST', `/~${world}/v1/webhooks`, key, { url: hook }]
  if (dice < 90)
    return [
      'POST',
      `/~${world}/v1/apps`,
      key,
      { name: `App ${number}`, description: 'x'.repeat(number % 2_000) },
    ]
  if (dice < 94)
    return [
      'PUT',
      `/__greenhouse/worlds/${world}/scenarios`,
      {},
      { active: [{ name: scenarios[number % scenarios.length].split(':')[0] }] },
    ]
  if (dice < 96) return ['DELETE', `/__greenhouse/worlds/${world}/scenarios`, {}]
  if (dice < 99) return ['DELETE', `/__greenhouse/worlds/${world}`, {}]
  return ['GET', `/~${world}/nothing/${'long'.repeat(number % 500)}`, key]
}

function ask(agent, port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const request = send(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        timeout: 20_000,
        headers: {
          ...headers,
          ...(text && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          }),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
        response.on('error', reject)
      },
    )
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    request.end(text)
  })
}

/** mulberry32 */
function createRandom(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
