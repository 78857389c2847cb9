import { join } from 'node:path'
import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures, watchFolders } from 'greenhouse-mock/node'
import { version } from '../../package.json'
import { toFingerprint } from '../support/fingerprint.ts'
import { testControl, control } from '../support/control.ts'
import { readEvents } from '../support/events.ts'
import { writeFolder } from '../support/folder.ts'

testControl(
  'GET /start has the URLs and the keys that may be shown',
  async ({ control, server, world }) => {
    world.use('slow', { ms: 5 })
    const { body: made } = await control('POST', '/worlds/default/keys', { account: 'acct_pro' })
    const { body, text } = await control('GET', '/start')
    expect(body).toMatchObject({
      version,
      plants_url: server.url,
      apps_url: `${server.url}/v1`,
      panel_url: `${server.url}/__greenhouse/`,
      keys: { key_pro: { plan: 'pro', account: 'acct_pro' }, key_revoked: { note: 'revoked' } },
      scenarios: ['slow'],
    })
    expect(text).not.toContain(made.secret)
    expect((await control('GET', '/start?x=1')).status).toBe(400)
  },
)

const own = {
  accounts: [{ id: 'acct_own', plan: 'free', name: 'Own', email: 'own@example.com' }],
  keys: ['key_own', 'sk_live_4f9Abcdefghijklmnop', 'a'.repeat(41)].map((secret) => ({
    secret,
    account: 'acct_own',
  })),
}

testControl(
  'a fixture key that could be a real one is not shown',
  { fixtures: own },
  async ({ control }) => {
    expect((await control('GET', '/start')).body.keys).toEqual({
      key_own: { id: toFingerprint('key_own'), plan: 'free', account: 'acct_own' },
    })
  },
)

const journal = '/worlds/default/journal'

async function serverOf(server: { readonly url: string }): Promise<string> {
  const { until } = await readEvents(server)
  return (await until(({ type }) => type === 'start')).data.server
}

testControl('each server is another one, in its events and in its journals', async (first) => {
  const name = await serverOf(first.server)
  expect(await serverOf(first.server)).toBe(name)
  const { body } = await first.control('GET', journal)
  expect(body.journal.startsWith(`${name}.`)).toBe(true)
  await using again = await serve(createGreenhouse())
  expect(await serverOf(again)).not.toBe(name)
  expect((await control(again, 'GET', journal)).body.journal).not.toBe(body.journal)
})

testControl(
  'a journal stays the same while its ids go on, and is another one where they begin anew',
  async (open) => {
    const read = async () => (await open.control('GET', journal)).body.journal
    const first = await read()
    await open.call('/plants')
    await open.control('DELETE', journal)
    expect(await read()).toBe(first)
    await open.control('PUT', '/worlds/default/snapshots/a')
    await open.control('POST', '/worlds/default/snapshots/a/restore')
    expect(await read()).toBe(first)
    await open.control('POST', '/worlds/default/reset')
    expect(await read()).not.toBe(first)
  },
)

const sound = 'plants:\n  - { id: 1, name: Fern, account: acct_pro }\n'
const broken = 'plants:\n  - { id: 1, name: 7, account: acct_pro }\n'
const accounts = 'accounts:\n  - { id: acct_pro, plan: pro, name: Pro, email: pro@example.com }\n'

test('a mistake in a watched file is shown with its place until it is corrected', async () => {
  const folder = writeFolder({ 'accounts.yaml': accounts, 'plants.yaml': sound })
  const greenhouse = createGreenhouse({ fixtures: loadFixtures(folder) })
  await using server = await serve(greenhouse)
  const read = async () => (await fetch(`${server.url}/__greenhouse/problems`)).json()
  expect(await read()).toEqual({
    data: [],
    watching: false,
    loaded_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })

  const stream = await readEvents(server, '/events?types=problems,reload')
  const watching = watchFolders(greenhouse, { fixtures: folder })
  await stream.until(({ data }) => data.watching === true)

  writeFileSync(join(folder, 'plants.yaml'), broken)
  const { data: told } = await stream.until(({ data }) => data.data?.length === 1)
  const message = expect.stringMatching(/^plants\.0\.name: /)
  const problem = { file: join(folder, 'plants.yaml'), line: 2, column: 14, message }
  expect(told).toMatchObject({ data: [problem], watching: true })
  expect(await read()).toEqual(told)
  expect(stream.events.some(({ type }) => type === 'reload')).toBe(false)

  writeFileSync(join(folder, 'plants.yaml'), sound)
  await stream.until(({ type }) => type === 'reload')
  await stream.until(({ data }) => data.data?.length === 0 && data.loaded_at > told.loaded_at)
  expect(await read()).toMatchObject({ data: [], watching: true })

  watching.close()
  expect(await read()).toMatchObject({ watching: false })
})

test('a folder that cannot be read is reported as a problem of the folder', async () => {
  const folder = writeFolder({ 'accounts.yaml': accounts, 'plants.yaml': sound })
  const greenhouse = createGreenhouse({ fixtures: loadFixtures(folder) })
  await using server = await serve(greenhouse)
  const stream = await readEvents(server, '/events?types=problems')
  const watching = watchFolders(greenhouse, { fixtures: folder })
  for (const name of ['accounts.yaml', 'plants.yaml']) rmSync(join(folder, name))
  const { data } = await stream.until(
    ({ data }) => data.data?.length > 0 && data.data[0].line === null,
  )
  const message = expect.stringMatching(/^Found no YAML or JSON files/)
  expect(data.data).toEqual([{ file: folder, line: null, column: null, message }])
  watching.close()
})
