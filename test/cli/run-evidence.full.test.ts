import { expect, test } from 'vitest'
import { runScript } from './server.ts'

const slips = `await ask('/v1/apps?limt=3'); await ask('/~other/v1/apps?limt=4'); await ask('/~other/v1/apps?limt=5');
  await ask('/~other/plants', { method: 'POST', body: JSON.stringify({ id: 1 }) }); await ask('/plants')`

const failOnViolations = ['--fail-on-violations']

test('run --fail-on-violations exits with 4 and lists violations by rule and operation', async () => {
  const { code, stdout, stderr } = await runScript(
    `console.log('done'); ${slips}`,
    failOnViolations,
  )
  expect([code, stdout]).toEqual([4, 'done\n'])
  expect(stderr).toBe(`4 violations of the contract:

  unknown-query  apps.list  3 times
    "limt" is not a query parameter of this operation. Did you mean "limit"?
    1  GET /v1/apps?limt=3  200
    1  GET /~other/v1/apps?limt=4  200  world=other
    2  GET /~other/v1/apps?limt=5  200  world=other

  invalid-body  plants.create  1 time
    name is required.
    3  POST /~other/plants  400  world=other

--fail-on violations failed: 4 violations of the contract.
`)
})

const forgotten = `await ask('/plants?limt=3'); for (let n = 0; n < 1100; n++) await ask('/plants?limit=0')`

test.each<[what: string, code: number, stderr: string, script: string, flags: string[]]>([
  [
    'what journals forgot counts',
    4,
    '  unknown-query  plants.list  1 time\n',
    forgotten,
    failOnViolations,
  ],
  ['no violation is exit code 0', 0, '', `await ask('/plants')`, failOnViolations],
  [
    'a command that fails keeps its exit code',
    7,
    '4 violations of',
    `${slips}; process.exit(7)`,
    failOnViolations,
  ],
  [
    'rules can be left out',
    0,
    '',
    `await ask('/plants', { headers: { authorization: '' } })`,
    [...failOnViolations, '--ignore-violation', 'missing-key'],
  ],
  ['without the flag violations change nothing', 0, '', slips, []],
])('%s', async (_, code, stderr, script, flags) => {
  const ended = await runScript(script, flags)
  expect([ended.code, ended.stderr]).toEqual([
    code,
    stderr === '' ? '' : expect.stringContaining(stderr),
  ])
})

test('no secret is in the list', async () => {
  const { stderr } = await runScript(`await ask('/v1/apps?api_key=key_pro')`, failOnViolations)
  expect(stderr).toContain('key-in-url  apps.list  1 time')
  expect(stderr).not.toContain('key_pro')
})
