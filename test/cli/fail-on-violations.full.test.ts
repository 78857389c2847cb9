import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'

/** Runs `greenhouse-mock run` with a Node script, which can `ask(path, options)`, as the command. */
const runScript = (script: string, options: string[] = []) =>
  run([
    'run',
    ...options,
    '--',
    process.execPath,
    '-e',
    `const ask = (path, options = {}) => fetch(process.env.PLANTS_BASE_URL + path, { ...options, headers: { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO, 'content-type': 'application/json', ...options.headers } }).then((reply) => reply.text());
    (async () => { ${script} })()`,
  ])

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

test('it counts what journals have forgotten', async () => {
  const { code, stderr } = await runScript(
    `await ask('/plants?limt=3'); for (let n = 0; n < 1100; n++) await ask('/plants?limit=0')`,
    failOnViolations,
  )
  expect(code).toBe(4)
  expect(stderr).toContain('1 request breaks the contract:\n\n  unknown-query  plants.list  1 time\n')
})

test('where no request breaks it, the exit code is that of the command and nothing is printed', async () => {
  expect(await runScript(`await ask('/plants')`, failOnViolations)).toMatchObject({ code: 0, stderr: '' })
})

test('a command that fails keeps its exit code', async () => {
  const { code, stderr } = await runScript(`${slips}; process.exit(7)`, failOnViolations)
  expect(code).toBe(7)
  expect(stderr).toContain('4 requests break the contract:')
})

test('rules can be left out', async () => {
  expect(
    await runScript(`await ask('/plants', { headers: { authorization: '' } })`, [
      ...failOnViolations,
      '--ignore-violation',
      'missing-key',
    ]),
  ).toMatchObject({ code: 0, stderr: '' })
  const { code, stderr } = await runScript('', ['--ignore-violation', 'missing-keys'])
  expect(code).toBe(2)
  expect(stderr).toContain('--ignore-violation missing-keys: expected one of unknown-path, ')
})

test('without the flag violations change nothing', async () => {
  expect(await runScript(slips)).toMatchObject({ code: 0, stderr: '' })
})

test('no secret is in the list', async () => {
  const { stderr } = await runScript(`await ask('/v1/apps?api_key=key_pro')`, failOnViolations)
  expect(stderr).toContain('key-in-url  apps.list  1 time')
  expect(stderr).not.toContain('key_pro')
})
