import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { testControl } from '../support/control.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks, possible } from '../support/lacks.ts'

const toText = (effects: string) => `title: Own\ndescription: D.\ncovers: C.\n${effects}\n`
const down = toText('respond:\n  - { on: plants.list, status: 503 }')

/** Starts a server that reads a folder with one scenario, `first`. */
async function openFolder(flags: readonly string[] = [], first = down) {
  const folder = writeFolder({ 'scenarios/first.yaml': first, 'outside.yaml': down })
  const scenarios = join(folder, 'scenarios')
  const running = await startServe(['--scenarios', scenarios, ...flags])
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${running.ready.plants_url}/__greenhouse${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const save = (name: string, text = down, replace?: boolean) =>
    call('PUT', `/scenarios/${name}`, { text, replace })
  return {
    ...running,
    folder,
    scenarios,
    call,
    save,
    status: async () => (await running.call('/plants')).status,
  }
}

test('a scenario is checked as text: every mistake has its line and column, and a suggestion', async () => {
  const { call } = await openFolder()
  const check = async (text: string) => (await call('POST', '/scenarios/check', { text })).body
  expect(await check(toText('respond:\n  - { on: plants.lst, status: 5O3 }'))).toEqual({
    data: [
      {
        file: 'new.yaml',
        line: 5,
        column: 23,
        message: expect.stringContaining('respond.0.status: '),
      },
    ],
    scenario: {
      title: 'Own',
      description: 'D.',
      covers: 'C.',
      respond: [{ on: 'plants.lst', status: '5O3' }],
    },
    choice: null,
    fits: [],
  })
  expect((await check(toText('respond:\n  - { on: plants.lst, status: 503 }'))).data).toEqual([
    {
      file: 'new.yaml',
      line: 5,
      column: 7,
      message: expect.stringContaining('Did you mean "plants.list"?'),
    },
  ])
  expect((await check('title: [')).data).toEqual([
    expect.objectContaining({ file: 'new.yaml', line: 1 }),
  ])
  expect((await check('')).data).toEqual([
    expect.objectContaining({ message: 'expected title, description, covers and effects' }),
  ])
})

test('a checked scenario can be tried with its default options', async () => {
  const { call, status } = await openFolder()
  const text = toText(
    "options:\n  code: { default: 418 }\nrespond:\n  - { on: plants.list, status: '${code}' }",
  )
  const { body } = await call('POST', '/scenarios/check', { text })
  expect(body).toMatchObject({
    data: [],
    scenario: { covers: 'C.', options: { code: { default: 418 } } },
  })
  expect(body.choice).toEqual({ title: 'Own', respond: [{ on: 'plants.list', status: 418 }] })
  await call('POST', '/worlds/default/scenarios', { active: [body.choice] })
  expect(await status()).toBe(418)
})

test('a saved scenario is loaded at once, and read by the next server', async () => {
  const { call, save, scenarios, status, stop } = await openFolder()
  expect((await call('GET', '/start')).body.scenarios_folder).toBe(scenarios)
  expect(await save('second')).toMatchObject({
    status: 200,
    body: { name: 'second', title: 'Own', bundled: false },
  })
  await call('POST', '/worlds/default/scenarios', { active: ['second'] })
  expect(await status()).toBe(503)
  expect(readFileSync(join(scenarios, 'second.yaml'), 'utf8')).toBe(down)
  expect(readdirSync(scenarios)).toEqual(['first.yaml', 'second.yaml'])
  await stop()
  const again = await startServe(['--scenarios', scenarios, '--scenario', 'second'])
  expect((await again.call('/plants')).status).toBe(503)
})

test('with --watch, too, a saved scenario stays loaded', async () => {
  const { call, save, status } = await openFolder(['--watch'])
  await save('second', toText('respond: [{ status: 500 }]'))
  await save('second', toText('respond: [{ status: 501 }]'), true)
  await call('POST', '/worlds/default/scenarios', { active: ['second'] })
  // A read of the folder that began before the second one ends after it.
  await expect.poll(status).toBe(501)
})

test('a file or a bundled scenario is replaced only when the call says so', async () => {
  const { call, save, scenarios, status } = await openFolder()
  const other = toText('respond: [{ status: 418 }]')
  for (const [name, what] of [
    ['first', 'a file first.yaml'],
    ['slow', 'a scenario'],
  ] as const) {
    const { body } = await save(name, other)
    expect(body.error).toMatchObject({
      code: 'scenario_exists',
      message: expect.stringContaining(`There is ${what} of`),
    })
  }
  expect(readFileSync(join(scenarios, 'first.yaml'), 'utf8')).toBe(down)
  expect(existsSync(join(scenarios, 'slow.yaml'))).toBe(false)
  expect((await save('first', other, true)).status).toBe(200)
  expect((await save('slow', other, true)).status).toBe(200)
  await call('POST', '/worlds/default/scenarios', { active: ['slow'] })
  expect(await status()).toBe(418)
})

const names = [
  ...'..%2foutside %2e%2e%2foutside %2ftmp%2fx a%00b First first.yaml a_b %20'.split(' '),
  'x'.repeat(101),
]

test('no name leads out of the folder, and nothing is written for a wrong one', async () => {
  const { save, scenarios, folder } = await openFolder()
  for (const name of [...names, '__proto__'])
    expect((await save(name, down, true)).status, name).toBe(400)
  expect(readdirSync(scenarios)).toEqual(['first.yaml'])
  expect(readdirSync(folder)).toEqual(['outside.yaml', 'scenarios'])
})

/** What may have the name of a scenario already. */
const takers: [string, (path: string, outside: string) => void][] = [
  ['link', (path, outside) => symlinkSync(outside, path)],
  ['folder', (path) => mkdirSync(path)],
]

test.each(possible(takers))('a %s of the name is not written to', async (_, make) => {
  const { save, scenarios, folder } = await openFolder()
  make(join(scenarios, 'taken.yaml'), join(folder, 'outside.yaml'))
  expect(
    (await save('taken', toText('respond: [{ status: 418 }]'), true)).body.error,
  ).toMatchObject({
    code: 'not_saved',
    message: 'Failed to save taken: taken.yaml is a link, or not a file',
  })
  expect(readFileSync(join(folder, 'outside.yaml'), 'utf8')).toBe(down)
})

test('mistakes in the text, or in another file, are said, and nothing is written', async () => {
  const { save, scenarios, call } = await openFolder()
  expect((await save('second', toText('respond: [{ status: 5 }]'))).body.error).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: '/text', message: expect.stringMatching(/^4:13: respond\.0\.status: /) }],
  })
  expect((await save('second', 'x'.repeat(2 ** 18 + 1))).body.error.message).toContain(
    'expected at most 256 KiB',
  )
  writeFileSync(join(scenarios, 'broken.yaml'), 'title: [')
  expect((await save('second')).body.error).toMatchObject({
    code: 'not_saved',
    message: expect.stringContaining('broken.yaml:1'),
  })
  expect(readdirSync(scenarios)).toEqual(['broken.yaml', 'first.yaml'])
  const { data } = (await call('GET', '/scenarios')).body
  expect(data.some(({ name }: { name: string }) => name === 'second')).toBe(false)
})

test('a file that is written again keeps its mode', async () => {
  const { save, scenarios } = await openFolder()
  const file = join(scenarios, 'first.yaml')
  chmodSync(file, 0o666)
  expect((await save('first', down, true)).status).toBe(200)
  expect(statSync(file).mode & 0o777).toBe(0o666)
})

test('a text that lacks an option in use is not saved: file and scenario stay', async () => {
  const withOption = toText("options: { code: { default: 418 } }\nrespond: [{ status: '${code}' }]")
  const { scenarios, save, status } = await openFolder(['--scenario', 'first:code=419'], withOption)
  expect((await save('first', down, true)).body.error.code).toBe('not_saved')
  expect(readFileSync(join(scenarios, 'first.yaml'), 'utf8')).toBe(withOption)
  expect(await status()).toBe(419)
})

/** How a folder comes to take no file. What root may write everywhere, the second refuses too. */
const closings: [what: string, close: (folder: string) => void][] = [
  ['may not be written', (folder) => chmodSync(folder, 0o555)],
  [
    'became a file',
    (folder) => (renameSync(folder, `${folder}-before`), writeFileSync(folder, '')),
  ],
]

for (const [what, close] of closings.slice(lacks.closedFolders ? 1 : 0))
  test(`a folder that ${what} is said, and the scenario is not loaded`, async () => {
    const { save, scenarios, call } = await openFolder()
    close(scenarios)
    expect((await save('second')).body.error.code).toBe('not_saved')
    chmodSync(scenarios, 0o755)
    const { data } = (await call('GET', '/scenarios')).body
    expect(data.some(({ name }: { name: string }) => name === 'second')).toBe(false)
  })

testControl('a server without a folder says that it cannot save', async ({ control }) => {
  expect((await control('GET', '/start')).body).not.toHaveProperty('scenarios_folder')
  const { status, body } = await control('PUT', '/scenarios/second', { text: down })
  expect([status, body.error.code]).toEqual([409, 'no_scenario_folder'])
  expect(body.error.message).toContain('--scenarios DIR')
})
