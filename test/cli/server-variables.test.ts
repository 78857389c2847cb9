import { expect, test } from 'vitest'
import { nobody, run, startServe } from '../support/cli.ts'

/** Every command that calls a server, and what it prints of the world "checkout". */
const commands: readonly (readonly [words: readonly string[], pattern: RegExp])[] = [
  [['scenario', 'use', 'slow:ms=1'], /"checkout"/],
  [['status'], /^World +checkout$/m],
  [['log'], /\/~checkout\/plants/],
  [['clock'], /^2031-05-06T07:00:00\.000Z, frozen$/m],
  [['records'], /^plants +\d+$/m],
  [['trigger', 'plant.created'], /"checkout"/],
  [['scenario', 'clear'], /"checkout"/],
  [['reset'], /"checkout"/],
]

test('commands that call a server take GREENHOUSE_URL, _TOKEN and _WORLD instead of the flags', async () => {
  const { ready, call, stop } = await startServe(['--token', 'secret', '--frozen', '--now', '2031-05-06T07:00:00Z'])
  await call('/~checkout/plants')
  const env = {
    ...process.env,
    GREENHOUSE_URL: ready.plants_url,
    GREENHOUSE_TOKEN: 'secret',
    GREENHOUSE_WORLD: 'checkout',
  }
  for (const [words, pattern] of commands) {
    expect(await run(words, { env }), words.join(' ')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(pattern),
      stderr: '',
    })
    const flags = ['--server', ready.plants_url, '--token', 'secret', '--world', 'checkout']
    if (words[0] === 'log') await call('/~checkout/plants')
    const wrong = { ...env, GREENHOUSE_URL: nobody, GREENHOUSE_TOKEN: 'wrong', GREENHOUSE_WORLD: 'other' }
    expect((await run([...words, ...flags], { env: wrong })).code, words.join(' ')).toBe(0)
    const refused = await run(words, { env: { ...env, GREENHOUSE_TOKEN: 'wrong' } })
    expect(refused, words.join(' ')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/token/) })
    expect(refused.stderr).not.toContain('secret')
  }
  await stop()
})

test('an invalid value of a variable is reported with the name of the variable', async () => {
  for (const [name, value] of [
    ['GREENHOUSE_URL', 'nowhere'],
    ['GREENHOUSE_WORLD', '../x'],
    ['GREENHOUSE_TOKEN', 'two words'],
  ] as const) {
    const { code, stderr } = await run(['status'], { env: { ...process.env, [name]: value } })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}`)])
    if (name === 'GREENHOUSE_TOKEN') expect(stderr).not.toContain(value)
  }
})
