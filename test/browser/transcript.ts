import { createGreenhouse } from 'greenhouse-mock'

/** A base URL each, of hosts that do not exist: nothing but the mock can answer there. */
export const bases = { plants: 'http://plants.test', apps: 'http://apps.test/v1' }

export interface Line {
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * A Greenhouse whose every reply is known beforehand: its chance is seeded and its clock stands
 * still.
 */
export function createStillGreenhouse() {
  const start = '2026-03-01T12:00:30.000Z'
  const greenhouse = createGreenhouse({
    seed: 7,
    now: start,
    assumptions: { 'plants.body.includes-id': 'yes' },
  })
  greenhouse.world().clock.freeze()
  greenhouse.world().clock.set(start)
  return greenhouse
}

/** Says the same to both areas wherever it runs, and writes down what comes back. */
export async function record(send: (request: Request) => Promise<Response>): Promise<Line[]> {
  const lines: Line[] = []
  const say = async (
    method: string,
    url: string,
    {
      key = 'key_pro',
      body,
      headers,
    }: { key?: string | null; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const sent = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await send(
      new Request(url, { method, headers: sent, ...(body !== undefined && { body }) }),
    )
    lines.push({
      request: `${method} ${url}`,
      status: response.status,
      headers: [...response.headers].sort(),
      body: await response.text(),
    })
  }
  const plants = bases.plants + '/plants'
  const apps = bases.apps + '/apps'

  await say('POST', plants, { body: '{"id":1007,"name":"Ficus — 榕","tag":"tree"}' })
  await say('POST', plants, { body: '{"id":9007199254740995,"name":"Puya raimondii"}' })
  await say('POST', plants, { body: '{"id":1008,' })
  await say('GET', plants + '?limit=3')
  await say('GET', plants)
  await say('GET', plants, { headers: { 'x-greenhouse-scenario': 'malformed-plant' } })
  await say('DELETE', plants + '/9007199254740994')
  await say('DELETE', plants + '/9007199254740995')
  await say('POST', apps, { body: '{"name":"plant-chat","model":"sprout-small"}' })
  await say('GET', apps + '?limit=2')
  await say('GET', apps, { key: null })
  await say('GET', apps, { key: 'key_nobody' })
  await say('GET', apps, { key: 'key_free@other' })
  await say('GET', bases.apps + '/nothing-here')
  const app = `${apps}/${JSON.parse(lines[8]!.body).id}`
  await say('POST', app + '/conversations', { body: '{"platform":"web"}' })
  await say('POST', `${app}/conversations/${JSON.parse(lines.at(-1)!.body).id}/messages`, {
    body: '{"content":"Wächst er?","stream":true}',
  })
  await say('GET', app + '/usage?interval=hour')
  for (let call = 0; call < 61; call++) await say('GET', apps + '/app_none', { key: 'key_free' })
  return lines
}
