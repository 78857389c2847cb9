import fc from 'fast-check'
import yargs from 'yargs'
import { expect, test } from 'vitest'
import { serveCommandFlags as flags } from '../../src/cli/commands/serve.ts'
import { readPlainFlags } from '../../src/cli/flags/plain-flags.ts'
import { withFlags } from '../../src/cli/command.ts'
import { run, startServe } from '../support/cli.ts'
import { times } from '../support/soak.ts'

const names = Object.keys(flags)

/** Texts that flags take, that they refuse, and that a parser may take for something else. */
const values = [
  '0|4010|7|-7|007|0x10|1e3|128MiB|500 kB|true|false|json|pretty|silent|api|.example.com|127.0.0.1|::1',
  'https://one.example|*|s3cret|a=b|a=b=c|2026-01-31|slow:ms=5|slow:ms=5;from=2|plants.delete.unknown=204|./folder',
  '| |"quoted"|\'quoted\'|"|--|-|-h|--help|--port|line\nbreak|ü|[]|{}|a,b|a b|$0|_|__proto__',
].flatMap((some) => some.split('|'))

/** One that each flag takes. */
const typical: readonly (readonly string[])[] = [
  ['--fixtures', './folder'],
  ['--case', './a.case.yaml'],
  ['--state', './state.yaml'],
  ['--scenarios', './folder'],
  ['--scenario', 'slow:ms=5'],
  ['--assume', 'plants.delete.unknown=204'],
  ['--assume-file', './assumptions.yaml'],
  ['--seed', '7'],
  ['--now', '2026-01-31'],
  ['--frozen'],
  ['--cors', '*'],
  ['--webhook-allow', 'hooks.example.com'],
  ['--no-trace'],
  ['--strict'],
  ['--journal-memory', '64MiB'],
  ['--data-memory', '1'],
  ['--body-limit', '500 kB'],
  ['--port', '0'],
  ['--host', '::1'],
  ['--allow-host', '.example.com'],
  ['--control-origin', 'http://localhost:5173'],
  ['--token', 's3cret'],
  ['--handlers', './handlers.mjs'],
  ['--control-origin', 'http://localhost:5173'],
  ['--watch'],
  ['--log', 'silent'],
  ['--open'],
]

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
      '--no-trace',
      '--no-watch',
      '--no-port',
      '--prot',
      '--webhookAllow',
      '--a.b',
      '-p',
      '--constructor',
    ),
  },
)

/** Mostly flags with a value each, as people write them, and sometimes anything. */
const commandLine = fc.oneof(
  fc.array(word, { maxLength: 6 }),
  fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 6 })
    .chain((some) =>
      fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...values), fc.boolean()))),
    )
    .map((some) =>
      some.flatMap(([name, value, isJoined]) => (isJoined ? [`--${name}=${value}`] : [`--${name}`, value])),
    ),
  fc
    .uniqueArray(fc.constantFrom(...typical), { maxLength: 6, selector: ([name]) => name })
    .map((some) => some.flatMap((words) => words)),
)

function readWithYargs(words: readonly string[]): Record<string, unknown> {
  const parser = withFlags(yargs([...words]), flags, { env: {} })
    .strict()
    .exitProcess(false)
    .help(false)
    .version(false)
    .fail((message, error) => {
      throw error ?? new Error(message)
    })
  return parser.parseSync() as Record<string, unknown>
}

test('what is read without yargs is what yargs reads, whatever the words are', () => {
  let read = 0
  fc.assert(
    fc.property(commandLine, (words) => {
      const plain = readPlainFlags(words, flags, {}) as Record<string, unknown> | undefined
      if (plain === undefined) return
      read++
      const full = readWithYargs(words)
      for (const [name, value] of Object.entries(plain)) expect([name, value]).toEqual([name, full[name]])
      const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      expect(Object.keys(plain).sort()).toEqual(names.map(camel).sort())
    }),
    { numRuns: times(20_000, 800) },
  )
  expect(read).toBeGreaterThan(times(5_000, 200))
})

test('each flag that is plainly right is read without yargs, in both ways of writing it', () => {
  for (const words of typical) {
    expect(readPlainFlags(words, flags, {}), words.join(' ')).toBeDefined()
    const [name, value] = words as [string, string?]
    if (value !== undefined)
      expect(readPlainFlags([`${name}=${value}`], flags, {})).toEqual(readPlainFlags(words, flags, {}))
  }
  expect(new Set(typical.map(([name]) => name!.replace(/^--(no-)?/, '')))).toEqual(new Set(names))
})

test('a server that was started without yargs answers as one that was started with it', async () => {
  const words = [
    '--seed',
    '7',
    '--now=2031-05-06T07:00:00Z',
    '--assume',
    'rate-limit.scope=key',
    '--cors',
    'https://one.example',
  ]
  const answers = []
  // A switch with a value is for yargs to read.
  for (const more of [[], ['--watch=false']]) {
    const { ready, call } = await startServe([...words, ...more])
    const { status, headers } = await call('/v1/apps?limit=1', { headers: { origin: 'https://one.example' } })
    const told = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-reset', 'access-control-allow-origin']
    answers.push([ready.keys, ready.scenarios, status, told.map((name) => headers.get(name))])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]![3]).not.toContain(null)
})

test('a mistake after valid flags is reported as by yargs', async () => {
  for (const [words, message] of [
    [['--seed', '7', '--prot', '1'], 'Unknown flag: --prot. Did you mean "--port"?'],
    [['--seed', '7', '--seed', '8'], '--seed: it was given 2 times.'],
    [['--log', 'json', 'plants'], 'Unknown argument: plants'],
    [['--log', 'json', '--port'], '--port: a value is missing.'],
  ] as const)
    expect(await run(['serve', ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
})
