import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'
import { startCommand } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const accounts = 'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\n'
const scenario = 'title: T\ndescription: D\ncovers: C\nassume: { plants.delete.unknown: 204 }\n'

test('the folders that come along pass', async () => {
  expect(await run(['check', 'fixtures', 'scenarios'])).toMatchObject({
    code: 0,
    stdout: 'fixtures, scenarios: no problems.\n',
    stderr: '',
  })
})

test('without folders it checks fixtures and scenarios of where it runs', async () => {
  const cwd = writeFolder({ 'fixtures/accounts.yaml': accounts, 'scenarios/own.yaml': scenario })
  expect(await startCommand(['check'], { cwd }).ended).toMatchObject({
    code: 0,
    stdout: 'fixtures, scenarios: no problems.\n',
  })
  expect(await startCommand(['check'], { cwd: writeFolder({ 'notes.txt': '' }) }).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the folders to check'),
  })
})

test('every problem of every folder is printed with file, line and column, and the code is 1', async () => {
  const folder = writeFolder({
    'fixtures/accounts.yaml': accounts,
    'fixtures/plants.yaml': 'plants:\n  - { id: x, name: A, account: acct }\n  - { id: 1, name: A, account: nobody }\n',
    'scenarios/broken.yaml': 'title: [\n',
    'scenarios/own.yaml': scenario + 'respnd: []\n',
  })
  const { code, stdout, stderr } = await run(['check', folder])
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout.trimEnd().split('\n')).toEqual([
    `${join(folder, 'fixtures', 'plants.yaml')}:2:7: plants.0.id: expected an integer of 64 bits, received "x"`,
    `${join(folder, 'fixtures', 'plants.yaml')}:3:23: plants.1.account: there is no account "nobody"`,
    expect.stringContaining(`${join(folder, 'scenarios', 'broken.yaml')}:2:1: `),
    expect.stringContaining(`${join(folder, 'scenarios', 'own.yaml')}:5:1: respnd: there is no such field`),
  ])
})

test('a folder of scenarios is known by its files, whatever its name', async () => {
  expect(await run(['check', writeFolder({ 'own.yaml': scenario })])).toMatchObject({ code: 0 })
  expect(await run(['check', writeFolder({ 'own.yaml': scenario + 'colour: red\n' })])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(':5:1: colour: there is no such field'),
  })
})

test('serve does not start with fixtures that have a problem', async () => {
  const folder = writeFolder({ 'plants.yaml': 'plants:\n  - { id: 1, name: A, account: nobody }\n' })
  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--fixtures', folder])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`${join(folder, 'plants.yaml')}:2:23: plants.0.account: there is no account "nobody"`)
  expect(stderr).not.toMatch(/^ +at /m)
})
