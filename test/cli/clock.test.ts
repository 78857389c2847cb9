import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

test('clock shows, moves, stops and runs the clock of a world', async () => {
  const { ready, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const clock = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(['clock', ...words, '--server', ready.plants_url, '--world', 'checkout'])
    expect([code, stderr], words.join(' ')).toEqual([0, ''])
    return stdout
  }
  expect(await clock('set', '2026-01-31T12:00:00Z')).toBe('2026-01-31T12:00:00.000Z, frozen\n')
  expect(await clock('now')).toBe('2026-01-31T12:00:00.000Z, frozen\n')
  expect(await clock()).toBe(await clock('now'))
  expect(await clock('advance', '2h')).toBe('2026-01-31T14:00:00.000Z, frozen\n')
  expect(await clock('unfreeze')).toMatch(/^2026-01-31T14:00:\d\d\.\d{3}Z\n$/)
  expect(await clock('freeze')).toMatch(/^2026-01-31T14:.*Z, frozen\n$/)
  expect(JSON.parse(await clock('set', '2026-02-01T00:00:00Z', '--json'))).toEqual({
    now: '2026-02-01T00:00:00.000Z',
    frozen: true,
  })
  const other = await run(['clock', '--server', ready.plants_url, '--json'])
  expect(JSON.parse(other.stdout)).toEqual({ now: '2026-03-01T12:00:30.000Z', frozen: true })
  await stop()
})

test('clock says what is wrong, with exit code 2, and the clock stays', async () => {
  const { ready, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const failures: [words: string[], message: RegExp][] = [
    [['advance', 'soon'], /soon/],
    [['advance'], /An argument is missing. Write: greenhouse-mock clock advance/],
    [['set', 'yesterday'], /yesterday/],
    [['set', '99999-01-01T00:00:00Z'], /99999/],
    [['freez'], /^Unknown command: freez\. Did you mean "freeze"\?/],
    [['advance', '-1d'], /^Expected a positive duration\. To go back, write: greenhouse-mock clock set <time>/],
  ]
  for (const [words, message] of failures)
    expect(await run(['clock', ...words, '--server', ready.plants_url]), words.join(' ')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  expect((await run(['clock', '--server', ready.plants_url])).stdout).toBe('2026-03-01T12:00:30.000Z, frozen\n')
  await stop()
})

test('clock due lists what falls due, and clock next goes there and does it', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const at = ['--server', ready.plants_url]
  await call('/v1/webhooks', {
    method: 'POST',
    body: JSON.stringify({ url: 'http://127.0.0.1:4/hook', events: ['app.created'] }),
  })
  await call('/v1/apps', { method: 'POST', body: JSON.stringify({ name: 'helper' }) })
  await run(['clock', 'advance', '1ms', ...at])
  const due = await run(['clock', 'due', ...at])
  expect([due.code, due.stderr]).toEqual([0, ''])
  expect(due.stdout).toMatch(/^AT +KIND +WHAT\n2026-03-01T12:/)
  const read = async () => (await fetch(`${ready.plants_url}/__greenhouse/worlds/default/due`)).json() as Promise<any>
  const before = await read()
  expect(JSON.parse((await run(['clock', 'due', '--json', ...at])).stdout)).toEqual(before)
  const [soonest] = before.data
  const next = await run(['clock', 'next', ...at])
  expect([next.code, next.stderr]).toEqual([0, ''])
  expect(next.stdout.split('\n')[0]).toBe(`${soonest.at}, frozen`)
  expect(next.stdout).toContain(`${soonest.at}  ${soonest.kind} `)
  expect((await read()).data).not.toContainEqual(soonest)
  await stop()
})
