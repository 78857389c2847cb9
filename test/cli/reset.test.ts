import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

test('reset restarts one world and no other', async () => {
  const { ready, call, stop } = await startServe()
  for (const world of ['checkout', 'other'])
    expect((await call(`/~${world}/plants/1`, { method: 'DELETE', key: 'key_free' })).status).toBe(204)
  expect(await run(['reset', '--world', 'checkout', '--server', ready.plants_url])).toEqual({
    code: 0,
    signal: null,
    stdout: 'The world "checkout" was reset.\n',
    stderr: '',
  })
  const statusOf = async (world: string) =>
    (await call(`/~${world}/plants/1`, { method: 'DELETE', key: 'key_free' })).status
  expect(await statusOf('checkout')).toBe(204)
  expect(await statusOf('other')).toBe(404)
  await stop()
})

test('reset --json gives the world as it starts', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  await call('/plants')
  const { code, stdout } = await run(['reset', '--json', '--server', ready.plants_url])
  const world = await fetch(`${ready.plants_url}/__greenhouse/worlds/default`)
  expect([code, JSON.parse(stdout)]).toEqual([0, await world.json()])
  expect(JSON.parse(stdout).journal).toEqual({ size: 0, evicted: 0 })
  await stop()
})

test('reset refuses a world that never was, and suggests one', async () => {
  const { ready, stop } = await startServe([])
  await fetch(`${ready.plants_url}/~checkout/plants`, { headers: { authorization: 'Bearer key_pro' } })
  const { code, stderr } = await run(['reset', '--world', 'chekout', '--server', ready.plants_url])
  expect([code, stderr]).toEqual([
    2,
    'There is no world "chekout". Any request to /~chekout/… creates it. Did you mean "checkout"?\n',
  ])
  expect((await run(['reset', '--world', 'checkout', '--server', ready.plants_url])).code).toBe(0)
  await stop()
})
