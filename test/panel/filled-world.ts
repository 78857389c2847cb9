import type { Greenhouse } from 'greenhouse-mock'

/** Sends requests of every kind, so that each view has something to show. */
export async function fillWorld(greenhouse: Greenhouse): Promise<void> {
  const send = (path: string, { key = 'key_pro', method = 'GET', body, scenario }: Sent = {}) =>
    greenhouse
      .fetch(
        new Request(`http://greenhouse.test${path}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(scenario !== undefined && { 'x-greenhouse-scenario': scenario }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body }),
        }),
      )
      .then((response) => response.text())
  greenhouse.world().snapshot('filled')
  await send('/plants?limit=3')
  await send('/v1/apps?limt=3', { key: 'key_free', scenario: 'rate-limited-plan' })
  await send('/plants', { method: 'POST', body: '{"id":9007199254740993,"name":"Ficus"}' })
  await send('/plants', { method: 'POST', body: '{"name":1}' })
  await send('/plants', { key: 'key_revoked' })
  await send('/v1/appz')
  await send('/v1/apps', { scenario: 'server-error' })
}

interface Sent {
  readonly key?: string
  readonly method?: string
  readonly body?: string
  readonly scenario?: string
}
