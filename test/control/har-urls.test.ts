import { expect, test } from 'vitest'
import { answerCall } from '../../src/control/answer-call.ts'
import { createGreenhouse } from 'greenhouse-mock'

const paths = [
  '/plants?limit=1',
  '/v1/apps',
  '/v1/apps?limit=1',
  '/v1',
  '/v1?x=1',
  '/v1x/apps',
  '/v10',
  '/nowhere/v1/a',
]

/** The URLs in the archive of a world whose requests are these. */
async function urlsOf(world: string, bases: { plants: string; apps: string } | undefined): Promise<string[]> {
  const greenhouse = createGreenhouse()
  for (const path of paths)
    await greenhouse.fetch(new Request(`http://greenhouse.test${world === 'default' ? '' : `/~${world}`}${path}`))
  const path = `/worlds/${world}/journal.har`
  const answer = await answerCall(greenhouse, {
    method: 'GET',
    path,
    origin: 'http://localhost:4010',
    ...(bases && { bases }),
  })
  if (!('chunks' in answer)) throw new Error('The archive comes in parts.')
  const { log } = JSON.parse([...answer.chunks].map(([text]) => text).join(''))
  return log.entries.map(({ request }: { request: { url: string } }) => request.url)
}

test('an archive has the URLs that the client has, by the base of each area', async () => {
  const bases = { plants: 'http://plants.test', apps: 'https://apps.test:8443/api/v2/' }
  expect(await urlsOf('default', bases)).toEqual([
    'http://plants.test/plants?limit=1',
    'https://apps.test:8443/api/v2/apps',
    'https://apps.test:8443/api/v2/apps?limit=1',
    'https://apps.test:8443/api/v2',
    'https://apps.test:8443/api/v2?x=1',
    'http://plants.test/v1x/apps',
    'http://plants.test/v10',
    'http://plants.test/nowhere/v1/a',
  ])
  expect((await urlsOf('shop', bases)).slice(0, 2)).toEqual([
    'http://plants.test/~shop/plants?limit=1',
    'https://apps.test:8443/~shop/api/v2/apps',
  ])
})

test('without bases they begin with the origin', async () => {
  expect(await urlsOf('default', undefined)).toEqual(paths.map((path) => `http://localhost:4010${path}`))
})
