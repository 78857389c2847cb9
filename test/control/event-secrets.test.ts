import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'

testControl('a secret that goes with its world in the same turn is hidden still', async ({ greenhouse, server }) => {
  const stream = await readEvents(server, '/events?types=request,world')
  await stream.until(({ type }) => type === 'gap')
  // It does not look like a secret.
  const secret = 'ABCDEFGH12345678IJKLMNOP'
  const world = greenhouse.world()
  world.records.keys.create({ secret, account: 'acct_pro' })
  await greenhouse.fetch(
    new Request(`http://x/plants?limit=${secret}`, { headers: { authorization: 'Bearer key_pro' } }),
  )
  world.reset()
  await stream.until(({ type }) => type === 'world')
  expect(stream.events.map(({ type }) => type)).toEqual(['gap', 'request', 'world'])
  expect(stream.events[1]!.data.request.url).toMatch(/^\/plants\?limit=fp_[\da-f]{12}$/)
  expect(JSON.stringify(stream.events)).not.toContain(secret)
  stream.close()
})

testControl('so is one in the name of a world', async ({ greenhouse, server }) => {
  const stream = await readEvents(server, '/events?types=request')
  const secret = 'ABCDEFGH12345678IJKLMNOP'
  greenhouse.world(secret).records.keys.create({ secret, account: 'acct_pro' })
  await greenhouse.fetch(new Request(`http://x/~${secret}/plants`, { headers: { authorization: `Bearer ${secret}` } }))
  await stream.until(({ type }) => type === 'request')
  expect(stream.events.at(-1)!.data.world).toMatch(/^fp_[\da-f]{12}$/)
  stream.close()
})
