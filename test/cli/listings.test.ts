import { expect, test } from 'vitest'
import { version } from '../../package.json'
import { createGreenhouse } from 'greenhouse-mock'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const greenhouse = createGreenhouse()

test('routes lists every operation with its method and path', async () => {
  const { code, stdout } = await run(['routes'])
  expect(code).toBe(0)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/))
  expect(rows).toEqual(
    greenhouse.operations().map(({ method, path, id, scope, source }) => [method, path, id, scope, source]),
  )
})

test('assumptions lists every assumption with its default and its alternatives', async () => {
  const { code, stdout } = await run(['assumptions'])
  expect(code).toBe(0)
  for (const { id, values } of greenhouse.assumptions()) {
    const block = stdout.split('\n\n').find((text) => text.startsWith(`${id}\n`))!
    expect(block).toContain(`${values[0]} (default`)
    for (const value of values.slice(1)) expect(block).toContain(value)
  }
})

test('scenario list lists every scenario, those of a folder too', async () => {
  const folder = writeFolder({ 'own.yaml': 'title: Own situation\ndescription: D\ncovers: C\nassume: {}\n' })
  const { code, stdout } = await run(['scenario', 'list', '--scenarios', folder])
  expect(code).toBe(0)
  const names = stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(' ')[0])
  expect(names).toEqual([...greenhouse.scenarios().map(({ name }) => name), 'own'].sort())
  expect(stdout).toMatch(/^own +Own situation/m)
})

test('scenario show prints what a scenario does and its options', async () => {
  const { code, stdout } = await run(['scenario', 'show', 'malformed-plant'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^malformed-plant: Malformed plant\n/)
  expect(stdout).toMatch(/^ +field +Which field: one of "name", "tag"; name by default$/m)
})

test('--version prints the version of the package', async () => {
  expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('--help lists the commands, and after a command its flags', async () => {
  const { code, stdout } = await run(['--help'])
  expect(code).toBe(0)
  for (const command of ['serve', 'run', 'check', 'scenario', 'assumptions', 'routes'])
    expect(stdout).toContain(`greenhouse-mock ${command}`)
  const help = await run(['serve', '--help'])
  expect(help.code).toBe(0)
  for (const flag of [
    'port',
    'host',
    'fixtures',
    'scenarios',
    'scenario',
    'assume',
    'seed',
    'now',
    'cors',
    'body-limit',
    'token',
    'log',
  ])
    expect(help.stdout).toContain(`--${flag} `)
})
