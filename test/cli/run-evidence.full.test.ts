import { expect, test } from 'vitest'
import { runScript } from './server.ts'

const slips = `await ask('/v1/apps?limt=3'); await ask('/~other/v1/apps?limt=4'); await ask('/~other/v1/apps?limt=5');
  await ask('/~other/plants', { method: 'POST', body: JSON.stringify({ id: 1 }) }); await ask('/plants')`

const failOnViolations = ['--fail-on-violations']

test('run --fail-on-violations exits with 4 and lists violations by rule and operation', async () => {
  const { code, stdout, stderr } = await runScript(`console.log('done'); ${slips}`, failOnViolations)
  expect([code, stdout]).toEqual([4, 'done\n'])
  expect(stderr).toBe(`4 requests break the contract:

  unknown-query  apps.list  3 times
    "limt" is not a query parameter of this operation. Did you mean "limit"?
    GET /v1/apps?limt=3

  invalid-body  plants.create  1 time
    name is required.
    POST /~other/plants  world=other
`)
})

const forgotten = `await ask('/plants?limt=3'); for (let n = 0; n < 1100; n++) await ask('/plants?limit=0')`

test.each<[what: string, code: number, stderr: string, script: string, flags: string[]]>([
  [
    'what journals forgot counts',
    4,
    '1 request breaks the contract:\n\n  unknown-query  plants.list  1 time\n',
    forgotten,
    failOnViolations,
  ],
  ['no violation is exit code 0', 0, '', `await ask('/plants')`, failOnViolations],
  ['a command that fails keeps its exit code', 7, '4 requests break', `${slips}; process.exit(7)`, failOnViolations],
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
  expect([ended.code, ended.stderr]).toEqual([code, stderr === '' ? '' : expect.stringContaining(stderr)])
})

test('no secret is in the list', async () => {
  const { stderr } = await runScript(`await ask('/v1/apps?api_key=key_pro')`, failOnViolations)
  expect(stderr).toContain('key-in-url  apps.list  1 time')
  expect(stderr).not.toContain('key_pro')
})
