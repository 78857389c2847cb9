import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

test('--frozen lets the clock of every world stand still from the start', async () => {
  const { ready, stop } = await startServe(['--frozen', '--now', '2026-03-01T12:00:30Z'])
  for (const world of ['default', 'checkout']) {
    await fetch(`${ready.plants_url}/~${world}/plants`)
    const clock = await fetch(`${ready.plants_url}/__greenhouse/worlds/${world}/clock`)
    expect(await clock.json()).toEqual({ now: '2026-03-01T12:00:30.000Z', frozen: true })
  }
  await stop()
})

test('run has it too, and without it time goes on', async () => {
  const script = `fetch(process.env.GREENHOUSE_URL + '/__greenhouse/worlds/default/clock').then((reply) => reply.json()).then(({ frozen }) => console.log(frozen))`
  expect((await run(['run', '--frozen', '--', process.execPath, '-e', script])).stdout).toBe('true\n')
  expect((await run(['run', '--', process.execPath, '-e', script])).stdout).toBe('false\n')
})
