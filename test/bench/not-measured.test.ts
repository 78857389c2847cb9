import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

/** A server instead of Greenhouse: what it answers to a creation, by its number. */
const serverThat = (answer: string) => `
const { createServer } = require('node:http')
let creations = 0
const answer = ${answer}
createServer((request, response) => {
  request.resume().on('end', () => {
    response.statusCode = request.method === 'POST' ? answer(++creations) : 200
    response.end('{"name":"Plant"}')
  })
}).listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1')
`

async function bench(part: string, server: string) {
  const folder = writeFolder({ 'package.json': '{"type":"module"}', 'greenhouse.cjs': server })
  const args = [
    '--only',
    part,
    '--quick',
    '--no-peers',
    '--dist',
    folder,
    '--results',
    join(folder, 'results'),
  ]
  const child = spawn(process.execPath, [join(root, 'bench/run.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => (output[name] += chunk))
  const [code] = await once(child, 'close')
  const { rows } = JSON.parse(readFileSync(join(folder, 'results/last.json'), 'utf8'))
  return { code, table: output.stdout, last: output.stderr.trim().split('\n').at(-1), rows }
}

test.each([
  [
    'at once',
    '() => 500',
    /^Not measured: post \(Expected 200 from POST \/plants HTTP\/1\.1, not 500: /,
  ],
  [
    'after 100 of them',
    '(number) => (number > 100 ? 500 : 200)',
    /^Not measured: post \(\d+ requests failed, .*HTTP\/1\.1 500/,
  ],
])(
  'the bench fails, and says what it could not measure, when creations are 500 %s',
  async (_when, answer, said) => {
    const { code, table, last, rows } = await bench('post', serverThat(answer))
    expect(last).toMatch(said)
    expect(table).toMatch(/\| post +\| not measured: /)
    expect(rows).toEqual([expect.objectContaining({ figure: 'post', missing: expect.any(String) })])
    expect(code).toBe(1)
  },
)

test('the bench fails when a server ends too early, or when there is no other build to compare', async () => {
  const ends = await bench('start', "console.error('no port'); process.exit(3)")
  expect([ends.code, ends.last]).toEqual([
    1,
    expect.stringMatching(/^Not measured: start \(".*" ended too early: no port\)$/),
  ])
  const alone = await bench('against', serverThat('() => 200'))
  expect([alone.code, alone.last]).toEqual([
    1,
    'Not measured: against (name another build with --against)',
  ])
})
