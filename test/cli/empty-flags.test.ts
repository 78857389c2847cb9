import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'
import { type Ended } from '../support/process.ts'

/** Every flag that takes a value, by command, and what its error asks for. */
const flags: Readonly<Record<string, readonly [words: string[], flags: Readonly<Record<string, string>>]>> = {
  serve: [
    ['serve'],
    {
      port: 'a whole number from 0 to 65535, such as --port 4010.',
      host: 'an address or a host name of this machine, without a port, such as --host 127.0.0.1.',
      token: 'visible ASCII characters, such as --token s3cret.',
      handlers: 'a file, such as --handlers ./handlers.mjs.',
      log: 'pretty, json or silent, such as --log json.',
      fixtures: 'a folder, such as --fixtures ./fixtures.',
      scenarios: 'a folder, such as --scenarios ./fixtures.',
      scenario: 'NAME or NAME:option=value,…, such as --scenario rate-limited-plan:window=day.',
      assume: 'ID=VALUE, such as --assume plants.delete.unknown=204.',
      seed: 'a whole number, such as --seed 7.',
      now: 'a time in ISO 8601, such as --now 2026-01-31T12:00:00Z.',
      cors: 'an origin (scheme, host and port, as browsers send it), or *, such as --cors https://app.example.com.',
      'webhook-allow':
        'a host name or an address, without a scheme or a port, such as --webhook-allow hooks.example.com.',
      'journal-memory': 'a number of bytes, such as --journal-memory 64MiB.',
      'data-memory': 'a number of bytes, such as --data-memory 64MiB.',
      'allow-host':
        'a host name without a scheme or a port; with a leading dot, it stands for all names below it, such as --allow-host api.',
      'control-origin':
        'one exact origin: scheme, host and port as browsers send them, without a path and without *, such as --control-origin http://localhost:5173.',
      'body-limit': 'a number of bytes, such as --body-limit 64MiB.',
    },
  ],
  'scenario list': [['scenario', 'list'], { scenarios: 'a folder' }],
  'scenario clear': [
    ['scenario', 'clear'],
    {
      server: 'a URL, such as --server http://127.0.0.1:4010.',
      world: '1 to 64 of the characters',
      token: 'visible ASCII characters',
    },
  ],
  trigger: [
    ['trigger', 'app.created'],
    { data: 'a JSON object', account: 'an id', app: 'an id', world: '1 to 64 of the characters' },
  ],
}

for (const [command, [words, expected]] of Object.entries(flags))
  test(`an empty or blank value of a flag of ${command} is wrong use, never 0 or nothing`, async () => {
    for (const [flag, words_] of Object.entries(expected)) {
      const ends = await Promise.all([run([...words, `--${flag}`, '']), run([...words, `--${flag}=  `])])
      for (const end of ends) expectWrongUse(end, `--${flag}: expected ${words_}`)
    }
  })

test('a flag that is given twice where it counts once is wrong use', async () => {
  for (const flag of ['port', 'host', 'token', 'seed', 'now', 'body-limit', 'fixtures', 'log']) {
    const end = await run(['serve', `--${flag}`, 'json', `--${flag}`, 'json'])
    expectWrongUse(end, `--${flag}: it was given 2 times. Give it once, such as --${flag} `)
  }
})

function expectWrongUse({ code, stdout, stderr }: Ended, message: string): void {
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^ +at |file:\/\/|node:internal/m)
  expect([code, stdout], message).toEqual([2, ''])
}
