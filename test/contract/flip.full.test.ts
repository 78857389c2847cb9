import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, start } from '../support/cli.ts'
import { lacks } from '../support/lacks.ts'
import { isAlive } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const node = process.execPath

/** The words of `flip` with options, separated by blanks, and a command. */
const flip = (options: string, ...command: string[]) => [
  'flip',
  ...(options.match(/\S+/g) ?? []),
  '--',
  ...command,
]
const client = (name: string) => [node, `test/contract/flip-clients/${name}.mjs`]

/** The rows of the table, by what became of them. */
function readTable(stdout: string) {
  const [head, ...rows] = stdout.split('\n\n')[0]!.split('\n')
  expect(head).toMatch(/^ASSUMPTION +IN FORCE +VARIANT +OUTCOME +FIRST LINE THAT FAILED$/)
  return rows.map(
    (row) =>
      row.split(/ {2,}/) as [
        id: string,
        inForce: string,
        values: string,
        outcome: string,
        line?: string,
      ],
  )
}

test('flip finds exactly the three unstated behaviours a client depends on, and the failing line', async () => {
  const { code, stdout, stderr } = await run(flip('--parallel 2', ...client('careless')))
  expect(code).toBe(1)
  const broken = readTable(stdout).filter(([, , , outcome]) => outcome === 'breaks')
  const units = ['delta-seconds', 'epoch-milliseconds', 'iso-8601']
  expect(broken.map((row) => row.join(' | '))).toEqual([
    ...['400', '204'].map(
      (status) =>
        `plants.delete.unknown | 404 | ${status} | breaks | AssertionError [ERR_ASSERTION]: deleted twice: expected 404, got ${status}`,
    ),
    ...units.map((unit) =>
      expect.stringMatching(
        `^rate-limit.reset-unit \\| epoch-seconds \\| ${unit} \\| breaks \\| AssertionError \\[ERR_ASSERTION\\]: the limit is reset at (\\d+|NaN)$`,
      ),
    ),
    expect.stringMatching(
      /^apps\.list\.shape \| data \| array \| breaks \| TypeError: Cannot read properties of undefined/,
    ),
  ])
  expect(stdout).toContain(
    'The command depends on 3 unstated behaviours: plants.delete.unknown, rate-limit.reset-unit, apps.list.shape.',
  )
  expect(stderr).toMatch(
    /^Running the command as it is …\nIt passed in .* and consulted \d+ of \d+ unstated behaviours\. \d+ variants to run, about /,
  )
  expect(stderr).toMatch(/\n\[ ?\d+\/\d+\] apps\.list\.shape=array breaks: TypeError/)
  expect(stderr + stdout).not.toContain('all is well')
})

test('a careful client depends on nothing, and variants it never consulted are listed, not run', async () => {
  const { code, stdout, stderr } = await run(flip('--parallel 2', ...client('careful')))
  expect(code).toBe(0)
  const rows = readTable(stdout)
  expect(new Set(rows.map(([, , , outcome]) => outcome))).toEqual(
    new Set(['holds', 'not consulted']),
  )
  const holds = rows.filter(([, , , outcome]) => outcome === 'holds').map(([id]) => id)
  expect(holds).toEqual(
    expect.arrayContaining(['plants.delete.unknown', 'rate-limit.reset-unit', 'apps.list.shape']),
  )
  const unread = rows.filter(([, , , outcome]) => outcome === 'not consulted').map(([id]) => id)
  expect(unread).toEqual(
    expect.arrayContaining(['plants.list.order', 'webhooks.retries', 'payments.period']),
  )
  expect(holds.filter((id) => unread.includes(id))).toEqual([])
  expect(stdout).toContain(
    'The command depends on none of the unstated behaviours that were flipped.',
  )
  expect(stdout).toMatch(
    /\n\d+ variants did not run, because the command never consulted their assumptions\. --all runs them too\.\n$/,
  )
  expect(stderr).not.toContain('payments.')
})

test('--only selects assumptions, --all adds unconsulted ones, --assume changes those in force', async () => {
  const { code, stdout } = await run(
    flip(
      '--all --only apps.*.status --only plants.delete.unknown --assume plants.delete.unknown=204 --parallel 2',
      ...client('careful'),
    ),
  )
  expect(code).toBe(0)
  expect(readTable(stdout)).toEqual([
    ['plants.delete.unknown', '204', '404, 400', 'holds'],
    ['apps.create.status', '201', '200', 'holds'],
    ['apps.delete.status', '204', '200', 'holds'],
  ])
})

test('a world that the command makes counts, as does what happens in it without a request', async () => {
  const script = `
    const base = process.env.GREENHOUSE_URL, headers = { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO, 'content-type': 'application/json' }
    const call = async (path, body, method = 'POST') => (await fetch(base + path, { method, headers, body: JSON.stringify(body) })).json()
    const { id } = await call('/~own/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['app.created'] })
    await call('/~own/v1/apps', { name: 'one' })
    await call('/__greenhouse/worlds/own/clock', { advance: '2s' }, 'PATCH')
    let list
    do list = await (await fetch(base + '/~own/v1/webhooks/' + id + '/deliveries', { headers })).json()
    while (list.data[0].attempts.length === 0)
    if (list.data[0].next_attempt_at === null) throw new Error('it was given up')`
  const { code, stdout, stderr } = await run(
    flip('--only webhooks.retries --only webhooks.gone', node, '--input-type=module', '-e', script),
  )
  expect(stderr).toContain('It passed')
  expect(readTable(stdout)).toEqual([
    ['webhooks.retries', 'standard', 'none', 'breaks', 'Error: it was given up'],
    ['webhooks.retries', 'standard', 'fast', 'holds'],
    ['webhooks.gone', 'disable', 'retry', 'not consulted'],
  ])
  expect(code).toBe(1)
})

test('tests with worlds of their own are flipped like those that call the server', async () => {
  const { code, stdout } = await run(
    flip(
      `--only plants.delete.unknown --only plants.list.order --assume plants.delete.status=200`,
      ...client('world'),
    ),
  )
  expect(code).toBe(1)
  expect(readTable(stdout).map(([id, , values, outcome]) => [id, values, outcome])).toEqual([
    ['plants.delete.unknown', '400', 'breaks'],
    ['plants.delete.unknown', '204', 'breaks'],
    ['plants.list.order', 'newest, id', 'not consulted'],
  ])
})

/** Lists plants; where the order is another one than it was the first time, it waits for ever. */
const waits = `
  const reply = await fetch(process.env.PLANTS_BASE_URL + '/plants', { headers: { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO } })
  const [first] = await reply.json()
  const fs = await import('node:fs')
  const file = process.argv[1]
  if (!fs.existsSync(file)) fs.writeFileSync(file, first.name)
  if (fs.readFileSync(file, 'utf8') !== first.name) {
    const { pid } = (await import('node:child_process')).spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    fs.writeFileSync(file + '.part', JSON.stringify([process.pid, pid]))
    fs.renameSync(file + '.part', file + '.pids') // whole once it is there: the test stops this process then
    console.log('waiting for ' + first.name)
    setInterval(() => {}, 1_000)
  }`
const waiting = (file: string) => [node, '--input-type=module', '-e', waits, file]
const readPids = (file: string): number[] => JSON.parse(readFileSync(file + '.pids', 'utf8'))

test('a command that hangs in a variant is reported as hung and ended with its processes', async () => {
  const file = join(writeFolder({}), 'first')
  const { code, stdout, stderr } = await run(
    flip('--only plants.list.order --timeout 12s --report json', ...waiting(file)),
  )
  expect(code).toBe(1)
  const { summary, depends_on, variants } = JSON.parse(stdout)
  expect(depends_on).toEqual(['plants.list.order'])
  expect(summary).toMatchObject({ hung: 1, holds: 1 })
  expect(variants.find(({ outcome }: { outcome: string }) => outcome === 'hung')).toMatchObject({
    value: 'newest',
    exit_code: null,
    line: expect.stringMatching(/^waiting for /),
  })
  expect(stderr).toMatch(
    /plants\.list\.order=newest hung: still running after (?:1[2-9]|\d\d+)\.\d s; waiting for /,
  )
  for (const pid of readPids(file)) await expect.poll(() => isAlive(pid)).toBe(false)
})

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test.skipIf(lacks.signals)(`${signal} ends what runs and reports what is known`, async () => {
    const file = join(writeFolder({}), 'first')
    const { kill, ended } = start(
      flip(
        '--only plants.list.limit-default --only plants.list.order --timeout 1h --report json',
        ...waiting(file),
      ),
    )
    await expect.poll(() => existsSync(file + '.pids')).toBe(true)
    kill(signal)
    const { code, stdout } = await ended
    expect(code).toBe(status)
    const report = JSON.parse(stdout)
    expect(report.partial).toBe(true)
    expect(report.depends_on).toEqual([])
    expect(report.summary).toMatchObject({ breaks: 0, hung: 0, holds: 2, not_run: 2 })
    for (const pid of readPids(file)) await expect.poll(() => isAlive(pid)).toBe(false)
  })

test.skipIf(lacks.signals)(
  'a signal before the command has ended once: nothing to report',
  async () => {
    const { kill, ended, untilPrinted } = start(flip('', node, '-e', 'setInterval(() => {}, 1000)'))
    await untilPrinted(/Running/, 'stderr')
    kill('SIGTERM')
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([143, ''])
    expect(stderr).toContain('Stopped before the command had run once.')
  },
)

test('the command says which variant is flaky, and exits with 1', async () => {
  const file = join(writeFolder({}), 'runs')
  // Every second run fails.
  const text = `
    const fs = await import('node:fs')
    await fetch(process.env.PLANTS_BASE_URL + '/plants', { headers: { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO } })
    fs.appendFileSync(process.argv[1], '.')
    if (fs.readFileSync(process.argv[1], 'utf8').length % 2 === 0) throw new Error('out of luck')`
  const words = [
    'flip',
    '--only',
    'plants.list.order',
    '--',
    node,
    '--input-type=module',
    '-e',
    text,
    file,
  ]
  const { code, stdout, stderr } = await run(words, { isTTY: true })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^plants\.list\.order +created +newest +flaky +Error: out of luck$/m)
  expect(stdout).toContain(
    'No unstated behaviour breaks the command every time.\n2 variants ran: 0 broke the command, 0 hung, 2 failed by chance, 0 held.',
  )
  expect(stderr).toContain('plants.list.order=newest flaky: Error: out of luck')
  for (const done of [0, 1]) expect(stderr).toContain(`\r\u001b[K${done}/2 plants.list.order=`)
})
