import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serveCommand } from '../../src/cli/commands/serve.ts'
import {
  describeMisspelt,
  resolveFlags,
  serveCommandFlags as flags,
} from '../../src/cli/flags/flags.ts'
import { readWords } from '../../src/cli/words.ts'
import { times } from '../support/soak.ts'

const names = Object.keys(flags)
const fields = names.map((name) =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
)

/** Flags as people write them, and the text of the variable that says the same. */
const pairs: readonly (readonly [words: readonly string[], text: string])[] = [
  [['--fixtures', './folder'], './folder'],
  [['--case', './a.case.yaml'], './a.case.yaml'],
  [['--state', './state.yaml'], './state.yaml'],
  [['--scenarios', './folder'], './folder'],
  [['--scenario', 'slow:ms=5', '--scenario', 'expired-key'], 'slow:ms=5, expired-key'],
  [
    ['--assume', 'plants.delete.unknown=204', '--assume', 'http.head=as-get'],
    'plants.delete.unknown=204,http.head=as-get',
  ],
  [['--assume-file', './assumptions.yaml'], './assumptions.yaml'],
  [['--seed', '7'], '7'],
  [['--now', '2026-01-31'], '2026-01-31'],
  [['--frozen'], 'true'],
  [
    ['--cors', 'https://a.example', '--cors', 'https://b.example'],
    'https://a.example,https://b.example',
  ],
  [['--webhook-allow', 'hooks.example.com'], 'hooks.example.com'],
  [['--no-trace'], 'off'],
  [['--strict'], '1'],
  [['--memory', '64MiB'], '64MiB'],
  [['--body-limit', '500 kB'], '500 kB'],
  [['--port', '0'], '0'],
  [['--host', '::1'], '::1'],
  [['--allow-host', 'a', '--allow-host', '.b.example'], 'a, .b.example'],
  [['--tls-cert', './localhost.pem'], './localhost.pem'],
  [['--tls-key', './localhost-key.pem'], './localhost-key.pem'],
  [['--control-origin', 'http://localhost:5173'], 'http://localhost:5173'],
  [['--token', 's3cret'], 's3cret'],
  [['--handlers', './handlers.mjs'], './handlers.mjs'],
  [['--watch'], 'yes'],
  [['--log', 'silent'], 'silent'],
  [['--open'], 'on'],
]

/** --no-trace is GREENHOUSE_TRACE. */
const toVariable = (flag: string) =>
  `GREENHOUSE_${flag
    .replace(/^--(no-)?/, '')
    .replaceAll('-', '_')
    .toUpperCase()}`

function read(words: readonly string[], env: NodeJS.ProcessEnv = {}): Record<string, unknown> {
  return resolveFlags(flags, readWords(['serve', ...words], [serveCommand]).given, env)
}

/** Texts that flags take, that they reject, and that a parser may take for something else. */
const values = [
  '0|4010|7|-7|007|0x10|1e3|128MiB|500 kB|true|false|json|pretty|silent|api|.example.com|127.0.0.1|::1',
  'https://one.example|*|s3cret|a=b|a=b=c|2026-01-31|slow:ms=5|slow:ms=5;from=2|plants.delete.unknown=204|./folder',
  '| |"quoted"|\'quoted\'|"|--|-|-h|--help|--port|line\nbreak|ü|[]|{}|a,b|a b|$0|_|__proto__',
].flatMap((some) => some.split('|'))

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...names).map((name) => `--${name}`) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...names), fc.constantFrom(...values))
      .map(([name, value]) => `--${name}=${value}`),
  },
  { weight: 6, arbitrary: fc.constantFrom(...values) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...'--no-trace|--no-watch|--no-port|--prot|--webhookAllow|--a.b|-p|--constructor'.split('|'),
    ),
  },
)

/** Flags as people write them, or anything. */
const commandLine = fc.oneof(
  fc.array(word, { maxLength: 3 }),
  fc
    .uniqueArray(fc.constantFrom(...pairs), { maxLength: 6, selector: ([[name]]) => name })
    .map((some) => some.flatMap(([words]) => words)),
)

test('any words are read, or their mistake is explained', () => {
  fc.assert(
    fc.property(commandLine, (words) => {
      try {
        expect(Object.keys(read(words)).sort()).toEqual([...fields].sort())
      } catch (error) {
        expect((error as Error).name, String(error)).toBe('UsageError')
      }
    }),
    { numRuns: times(20_000, 300) },
  )
})

test('each flag of serve has two ways of writing it, and a variable that says the same', () => {
  for (const [words, text] of pairs) {
    const [name, value] = words as [string, string?]
    const expected = read(words)
    expect(expected, name).not.toEqual(read([]))
    if (words.length === 2) expect(read([`${name}=${value}`])).toEqual(expected)
    expect(read([], { [toVariable(name)]: text }), name).toEqual(expected)
  }
  expect(new Set(pairs.map(([[name]]) => name!.replace(/^--(no-)?/, '')))).toEqual(new Set(names))
})

test('a flag wins over its variable, a list as a whole', () => {
  const env = {
    GREENHOUSE_PORT: 'none',
    GREENHOUSE_STRICT: 'maybe',
    GREENHOUSE_CORS: '*',
    GREENHOUSE_TRACE: 'false',
  }
  const words = ['--port', '7', '--no-strict', '--cors', 'https://a.example', '--trace']
  expect(read(words, env)).toMatchObject({
    port: 7,
    strict: false,
    cors: ['https://a.example'],
    trace: true,
  })
})

test('empty variables are ignored, as are those Kubernetes sets for a service named greenhouse', () => {
  const empty = Object.fromEntries(pairs.map(([[flag]]) => [toVariable(flag!), '']))
  const env = { ...empty, GREENHOUSE_PORT: 'tcp://10.96.0.7:4010' }
  expect(read([], env)).toEqual(read([]))
})

test('an unknown variable is reported, variables of container tools are not', () => {
  const describe = (...names: string[]) => describeMisspelt(names, flags)
  expect(describe('GREENHOUSE_TOKN')).toBe(
    'GREENHOUSE_TOKN: there is no such variable. Did you mean "GREENHOUSE_TOKEN"?\n',
  )
  for (const [wrong, right] of [
    ['ALLOWED_HOST', 'ALLOW_HOST'],
    ['SCENARIOES', 'SCENARIOS'],
    ['NO_TRACE', 'TRACE'],
    ['SERVER', 'URL'],
    ['WORLDS', 'WORLD'],
    ['MEMROY', 'MEMORY'],
  ] as const)
    expect(describe(`GREENHOUSE_${wrong}`), wrong).toContain(`Did you mean "GREENHOUSE_${right}"?`)
  expect(describe('GREENHOUSE_BOARD')).toBe('GREENHOUSE_BOARD: there is no such variable.\n')
  const ours = pairs.map(([[flag]]) => toVariable(flag!))
  const set = [
    'URL',
    'WORLD',
    'VERIFY_KEY',
    'KEY_FREE',
    'KEY_LITE',
    'KEY_PRO',
    'KEY_PRO_PLUS',
    'KEY_TEAM',
    'EVIDENCE',
    'FLIP',
  ]
  const service = [
    'SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_PORT_HTTP',
    'PORT_4010_TCP',
    'PORT_4010_TCP_ADDR',
    'DB_SERVICE_HOST',
    'DB_PORT',
  ]
  expect(
    describe(...ours, ...[...set, ...service].map((name) => `GREENHOUSE_${name}`), 'TOKN'),
  ).toBe('')
})
