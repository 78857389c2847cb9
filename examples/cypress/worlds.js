// Worlds of a running Greenhouse, through its control API. `greenhouse-mock run` sets
// GREENHOUSE_URL.
import { randomUUID } from 'node:crypto'

const url = process.env.GREENHOUSE_URL

async function control(method, path, body) {
  const response = await fetch(`${url}/__greenhouse${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // A server that other machines reach has one: serve --token.
      ...(process.env.GREENHOUSE_TOKEN && {
        authorization: `Bearer ${process.env.GREENHOUSE_TOKEN}`,
      }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/**
 * Starts a world. @param start what it starts with: `{ now: '2026-01-31T18:00:00Z', scenarios:
 * ['slow'] }`
 */
export async function createWorld(start = {}) {
  const name = `t-${randomUUID()}`
  await control('PUT', `/worlds/${name}`, start)
  return {
    name,
    /** The base URL of Area A in this world. */
    plantsUrl: `${url}/~${name}`,
    /** The base URL of Area B in this world. */
    appsUrl: `${url}/~${name}/v1`,
    use: (...scenarios) => control('PUT', `/worlds/${name}/scenarios`, { active: scenarios }),
    clear: () => control('DELETE', `/worlds/${name}/scenarios`),
    advance: (time) => control('PATCH', `/worlds/${name}/clock`, { advance: time }),
    calls: async (query = {}) =>
      (await control('GET', `/worlds/${name}/journal?${new URLSearchParams(query)}`)).data,
    delete: () => control('DELETE', `/worlds/${name}`),
  }
}

/**
 * The requests that named no world: the world `default` answered them. Each request is returned
 * only once.
 */
export async function takeStrays() {
  const { data } = await control('GET', '/worlds/default/journal')
  if (data.length > 0) await control('DELETE', '/worlds/default/journal')
  return data
}

/** The requests of a journal, one a line. */
export function describe(title, calls) {
  const lines = calls.map(({ request, response, operation, scenarios }) =>
    [
      '',
      request.method,
      request.url,
      response.status,
      operation ?? '(no operation)',
      scenarios.join(', '),
    ].join(' '),
  )
  return [
    `${title}: ${calls.length} ${calls.length === 1 ? 'request' : 'requests'}`,
    ...lines,
  ].join('\n')
}
