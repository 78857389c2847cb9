import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

/** The status that a tool gets that waits for a URL. */
const poll = async (url: string, method: string, accept?: string) =>
  (await fetch(url, { method, redirect: 'manual', ...(accept && { headers: { accept } }) })).status

test('what waits for a server gets 200 of its health, however it asks and whether it has a token', async () => {
  for (const args of [[], ['--token', 's3cret']]) {
    const { ready, stop } = await startServe(args)
    const health = `${ready.plants_url}/__greenhouse/health`
    for (const method of ['GET', 'HEAD'])
      for (const accept of [undefined, '*/*', 'application/json, text/plain, */*', 'text/html'])
        expect([method, accept, await poll(health, method, accept)]).toEqual([method, accept, 200])
    await stop()
  }
})

test('the root is a path that the API does not have: 404 for programs, the panel for browsers', async () => {
  const { ready, stop } = await startServe()
  for (const method of ['GET', 'HEAD']) {
    expect(await poll(`${ready.plants_url}/`, method)).toBe(404)
    expect(await poll(`${ready.plants_url}/`, method, 'text/html')).toBe(303)
  }
  await stop()
})
