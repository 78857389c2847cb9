import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'

const client = (name: string) => [process.execPath, `test/contract/flip-clients/${name}.mjs`]

/** The rows of the table, by what became of them. */
function readTable(stdout: string) {
  const [head, ...rows] = stdout.split('\n\n')[0]!.split('\n')
  expect(head).toMatch(/^ASSUMPTION +IN FORCE +VARIANT +OUTCOME +FIRST LINE THAT FAILED$/)
  return rows.map(
    (row) => row.split(/ {2,}/) as [id: string, inForce: string, values: string, outcome: string, line?: string],
  )
}

test('flip finds exactly the three unstated behaviours a client depends on, and the failing line', async () => {
  const { code, stdout, stderr } = await run(['flip', '--parallel', '2', '--', ...client('careless')])
  expect(code).toBe(1)
  const broken = readTable(stdout).filter(([, , , outcome]) => outcome === 'breaks')
  expect(broken).toEqual([
    [
      'plants.delete.unknown',
      '404',
      '400',
      'breaks',
      'AssertionError [ERR_ASSERTION]: deleted twice: expected 404, got 400',
    ],
    [
      'plants.delete.unknown',
      '404',
      '204',
      'breaks',
      'AssertionError [ERR_ASSERTION]: deleted twice: expected 404, got 204',
    ],
    ...['delta-seconds', 'epoch-milliseconds', 'iso-8601'].map((unit) => [
      'rate-limit.reset-unit',
      'epoch-seconds',
      unit,
      'breaks',
      expect.stringMatching(/^AssertionError \[ERR_ASSERTION\]: the limit is reset at (\d+|NaN)$/),
    ]),
    [
      'apps.list.shape',
      'data',
      'array',
      'breaks',
      expect.stringMatching(/^TypeError: Cannot read properties of undefined/),
    ],
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
  const { code, stdout, stderr } = await run(['flip', '--parallel', '2', '--', ...client('careful')])
  expect(code).toBe(0)
  const rows = readTable(stdout)
  expect(new Set(rows.map(([, , , outcome]) => outcome))).toEqual(new Set(['holds', 'not consulted']))
  const holds = rows.filter(([, , , outcome]) => outcome === 'holds').map(([id]) => id)
  expect(holds).toEqual(expect.arrayContaining(['plants.delete.unknown', 'rate-limit.reset-unit', 'apps.list.shape']))
  const unread = rows.filter(([, , , outcome]) => outcome === 'not consulted').map(([id]) => id)
  expect(unread).toEqual(expect.arrayContaining(['plants.list.order', 'webhooks.retries', 'payments.period']))
  expect(holds.filter((id) => unread.includes(id))).toEqual([])
  expect(stdout).toContain('The command depends on none of the unstated behaviours that were flipped.')
  expect(stdout).toMatch(
    /\n\d+ variants did not run, because the command never consulted their assumptions\. --all runs them too\.\n$/,
  )
  expect(stderr).not.toContain('payments.')
})

test('--only selects assumptions, --all adds unconsulted ones, --assume changes those in force', async () => {
  const { code, stdout } = await run([
    'flip',
    '--all',
    '--only',
    'apps.*.status',
    '--only',
    'plants.delete.unknown',
    '--assume',
    'plants.delete.unknown=204',
    '--parallel',
    '2',
    '--',
    ...client('careful'),
  ])
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
  const { code, stdout, stderr } = await run([
    'flip',
    '--only',
    'webhooks.retries',
    '--only',
    'webhooks.gone',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ])
  expect(stderr).toContain('It passed')
  expect(readTable(stdout)).toEqual([
    ['webhooks.retries', 'standard', 'none', 'breaks', 'Error: it was given up'],
    ['webhooks.retries', 'standard', 'fast', 'holds'],
    ['webhooks.gone', 'disable', 'retry', 'not consulted'],
  ])
  expect(code).toBe(1)
})

test('tests with worlds of their own are flipped like those that call the server', async () => {
  const only = ['plants.delete.unknown', 'plants.list.order'].flatMap((id) => ['--only', id])
  const { code, stdout } = await run([
    'flip',
    ...only,
    '--assume',
    'plants.delete.status=200',
    '--',
    ...client('world'),
  ])
  expect(code).toBe(1)
  expect(readTable(stdout).map(([id, , values, outcome]) => [id, values, outcome])).toEqual([
    ['plants.delete.unknown', '400', 'breaks'],
    ['plants.delete.unknown', '204', 'breaks'],
    ['plants.list.order', 'newest, id', 'not consulted'],
  ])
})
