import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

function newFile(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-assume-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'assumptions.yaml')
  if (text !== undefined) writeFileSync(file, text)
  return file
}

const flags = ['--key', 'key_pro', '--rate', '999', '--allow-writes']

test('what verify writes makes the mock behave like the server that it saw', async () => {
  const real = await startServe(['--assume', 'plants.delete.unknown=204', '--assume', 'apps.create.status=200'])
  const file = newFile()
  const targets = ['--target-plants', real.ready.plants_url, '--target-apps', real.ready.apps_url]
  const only = ['--only', 'plants.delete.*', '--only', 'apps.create.status']
  const verified = await run(['verify', ...targets, ...flags, ...only, '--write', file])
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  expect(verified.stdout).toMatch(/^plants\.delete\.unknown +204 +404 +DELETE/m)
  expect(verified.stdout).toContain(`Wrote ${file}. Use it: greenhouse-mock serve --assume-file ${file}`)
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^plants\.delete\.unknown: '204'$/m)
  expect(text).toMatch(/^# plants\.delete\.foreign: not observed: it needs another caller's key: --other-key$/m)

  const mock = await startServe(['--assume-file', file])
  expect((await mock.call('/plants/4711', { method: 'DELETE' })).status).toBe(204)
  expect((await mock.call('/v1/apps', { method: 'POST', body: '{"name":"a"}' })).status).toBe(200)
})

test('--assume wins over the file, and values may stand without quotes', async () => {
  const file = newFile('plants.delete.unknown: 204\nplants.rate-limits: on\n')
  const { call } = await startServe(['--assume-file', file, '--assume', 'plants.delete.unknown=400'])
  const { status, headers } = await call('/plants/4711', { method: 'DELETE' })
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([400, '300'])
})

test('mistakes in the file are reported with their place, and a misspelt name with a suggestion', async () => {
  const file = newFile('plants.delete.unkown: 204\nplants.delete.status: 205\nhttp.head: [404]\n')
  const { code, stderr } = await run(['serve', '--port', '0', '--assume-file', file])
  expect(code).toBe(2)
  expect(stderr).toContain(`Failed to load the assumptions in ${file}: 3 problems.`)
  expect(stderr).toMatch(
    /assumptions\.yaml:1:1: .*there is no such assumption\. Did you mean "plants\.delete\.unknown"\?/,
  )
  expect(stderr).toMatch(/assumptions\.yaml:2:1: .*to "205": it can be "204", "200"/)
  expect(stderr).toMatch(/assumptions\.yaml:3:1: .*it can be "as-get", "404"/)
})

for (const [what, text, message] of [
  ['a list', '- plants.delete.unknown\n', 'expected assumptions by id'],
  ['no YAML', 'a: [\n', 'Failed to load the assumptions'],
  ['an id twice', 'http.head: 404\nhttp.head: as-get\n', 'Map keys must be unique'],
] as const)
  test(`a file that holds ${what} is refused`, async () => {
    expect(await run(['serve', '--port', '0', '--assume-file', newFile(text)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
  })

test('a missing file is reported as such', async () => {
  const { code, stderr } = await run(['serve', '--port', '0', '--assume-file', './none.yaml'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^Failed to read the file "\.\/none\.yaml": ENOENT/)])
})

test('an empty file changes nothing', async () => {
  const { call } = await startServe(['--assume-file', newFile('# nothing\n')])
  expect((await call('/plants/4711', { method: 'DELETE' })).status).toBe(404)
})
