import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const toFixtures = (id: string) =>
  `accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\nkeys:\n  - { secret: key, account: acct }\nplants:\n  - { id: ${id}, name: Fern, account: acct }\n`

test('serve --watch loads what is saved, says where a mistake is, and stops on request', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('1') })
  const { call, output, stop } = await startServe(['--fixtures', folder, '--watch'])
  const status = async (id: number) => (await call(`/plants/${id}`, { key: 'key', method: 'DELETE' })).status
  writeFileSync(join(folder, 'all.yaml'), toFixtures('x'))
  await expect
    .poll(() => output.stderr)
    .toMatch(/all\.yaml:6:7: plants\.0\.id: [^]*Greenhouse keeps what it loaded last\./)
  writeFileSync(join(folder, 'all.yaml'), toFixtures('2'))
  await expect.poll(() => status(2)).not.toBe(404)
  expect(await stop()).toMatchObject({ code: 0, signal: null })
})

test('after a reload --watch names the worlds that keep their changes, and how to reset them', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('1') })
  const { ready, call, output, stop } = await startServe(['--fixtures', folder, '--watch'])
  const create = { key: 'key', method: 'POST', body: '{"id": 5, "name": "Ficus"}' }
  expect((await call('/~one/plants', create)).status).toBe(200)
  writeFileSync(join(folder, 'all.yaml'), toFixtures('2'))
  const curl = `curl -X POST ${ready.plants_url}/__greenhouse/worlds/one/reset`
  await expect
    .poll(() => output.stderr)
    .toBe(
      `The world "one" keeps its own plants: requests or tests have changed them.\nTo start it from the files: ${curl}\n`,
    )
  expect((await call('/~one/plants/2', { key: 'key', method: 'DELETE' })).status).toBe(404)
  await promisify(execFile)('sh', ['-c', curl])
  expect((await call('/~one/plants/2', { key: 'key', method: 'DELETE' })).status).not.toBe(404)
  await stop()
})

test('--watch with nothing to watch is an error', async () => {
  const { code, stderr } = await run(['serve', '--watch'])
  expect(code).toBe(2)
  expect(stderr).toContain(
    '--watch: needs a folder to watch. Name it with --fixtures, with --scenarios or in greenhouse.config.ts.',
  )
})
