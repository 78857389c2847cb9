import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

/** Values that look like one and are none. */
const junk: Readonly<Record<string, readonly string[]>> = {
  port: ['0x10', '1e3', '+80', ' 80', '80 ', '８０', '-1', '99999', '80.0000000000000000001'],
  seed: ['1.5', '1e3', '1e-400', '9007199254740992', 'NaN', 'Infinity'],
  'data-memory': ['1k', 'much', '-1', '1.5MiB'],
  'allow-host': ['http://api', 'api:4010', '*'],
  'body-limit': ['1k', '1e6', '1.0', '-0.5'],
  host: ['http://127.0.0.1', '127.0.0.1:4010', 'a b', '[::1]:80', 'user@localhost', '*'],
  token: ['two words', 'tab\there', 'schlüssel', 'line\nbreak'],
  now: ['yesterday', '12:00', '2026-13-01', '2026'],
  cors: [
    'not an origin',
    'example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://APP.example.com',
    'https://app.example.com:443',
    'https://*.example.com',
    'https://user@app.example.com',
    'null',
    '**',
  ],
  'control-origin': [
    '*',
    'null',
    'http://localhost:5173/',
    'http://localhost:5173/app',
    'HTTP://localhost:5173',
    'http://Localhost:5173',
    'http://localhost:80',
    'localhost:5173',
    'http://*.localhost:5173',
  ],
  'webhook-allow': [
    'http://x/',
    'https://hooks.example.com',
    'hooks.example.com/',
    'hooks.example.com:443',
    '*',
    '*.example.com',
    'a b',
    '2130706433',
    'user@hooks.example.com',
  ],
  assume: ['=404', 'plants.delete.unknown=', 'plants.delete.unknown'],
  scenario: [':ms=5', '  :'],
}

for (const [flag, values] of Object.entries(junk))
  test(`--${flag} takes nothing that only looks like a value`, async () => {
    for (const value of values) {
      const { code, stdout, stderr } = await run(
        ['serve', '--port', '0', ...(flag === 'host' ? ['--token', 'x'] : []), `--${flag}=${value}`].filter(
          (word) => flag !== 'port' || (word !== '--port' && word !== '0'),
        ),
      )
      expect(stderr, value).toMatch(new RegExp(`^--${flag}.*: expected .*, such as --${flag} `, 's'))
      if (flag === 'token') expect(stderr).not.toContain(value)
      expect([code, stdout], value).toEqual([2, ''])
    }
  })

test('a switch takes no value', async () => {
  for (const [line, flag] of [
    ['serve --port 0 --watch=maybe', '--watch'],
    ['serve --port 0 --trace=', '--trace'],
    ['serve --port 0 --no-trace=false', '--no-trace'],
    ['serve --port 0 --watch=1', '--watch'],
    ['run --coverage=yes -- node --version', '--coverage'],
    ['scenario use slow --only=yes', '--only'],
    ['fixtures init --force=yes', '--force'],
    ['status --help=yes', '--help'],
  ] as const) {
    const { code, stderr } = await run(line.split(' '))
    expect([code, stderr], line).toEqual([2, expect.stringContaining(`${flag}: it takes no value.`)])
  }
})

test('the values that those flags do take are taken', async () => {
  const origins = [
    'https://app.example.com',
    'http://localhost:5173',
    'capacitor://localhost',
    'chrome-extension://a',
    '*',
  ]
  const cors = origins.map((origin) => `--cors=${origin}`)
  const names = ['hooks.example.com', 'My_Service', '10.0.0.1', '::1', '[::1]', 'example.com.']
  const hosts = names.map((name) => `--webhook-allow=${name}`)
  const others = '--seed -7 --body-limit 0 --trace=false --token a!b~c --now 2026-01-31'.split(' ')
  const { call } = await startServe([...cors, ...hosts, ...others])
  const { headers } = await call('/plants', { headers: { origin: 'https://app.example.com' } })
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com')
})
