import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const fixtures = {
  'accounts.yaml':
    'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: lite }\nkeys:\n  - { secret: key_own, account: acct }\n  - { secret: sk_live_0123456789abcdef, account: acct }\n',
  'plants.yaml':
    'plants:\n  - { id: 1, name: Fern, tag: tree, account: acct }\n  - { id: 9007199254740993, name: Ficus, tag: tree, account: acct }\n  - { id: 3, name: Aloe, account: acct }\n',
}

/** Starts a server with these plants, and gives what `greenhouse-mock records` prints. */
async function startRecords() {
  const { ready, stop } = await startServe(['--fixtures', writeFolder(fixtures)])
  const records = (...words: string[]) => run(['records', ...words, '--server', ready.plants_url])
  const read = async (path: string) =>
    (await fetch(`${ready.plants_url}/__greenhouse/worlds/default/records${path}`)).text()
  return { records, read, stop }
}

test('records alone lists the collections and how many records each has', async () => {
  const { records, read, stop } = await startRecords()
  const { code, stdout, stderr } = await records()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^COLLECTION +RECORDS\n/)
  expect(stdout).toMatch(/^plants +3$/m)
  expect(JSON.parse((await records('--json')).stdout)).toEqual(JSON.parse(await read('')))
  await stop()
})

test('records COLLECTION lists the records, filtered, sorted and limited', async () => {
  const { records, read, stop } = await startRecords()
  const rows = async (...words: string[]) =>
    (await records('plants', ...words)).stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect((await rows()).slice(0, 4).map((row) => row.slice(0, 2))).toEqual([
    ['ID', 'NAME'],
    ['1', 'Fern'],
    ['9007199254740993', 'Ficus'],
    ['3', 'Aloe'],
  ])
  expect((await rows('--where', 'tag=tree', '--sort=-name')).slice(1, 3).map(([, name]) => name)).toEqual([
    'Ficus',
    'Fern',
  ])
  expect((await records('plants', '--limit', '1')).stdout).toMatch(/\n\n1 of 3 records\.\n$/)
  expect((await records('plants', '--where', 'name=Moss')).stdout).toBe('There is no such record in plants.\n')
  expect((await records('plants', '--json')).stdout).toBe((await read('/plants')) + '\n')
  await stop()
})

test('records COLLECTION ID shows one, its numbers exact', async () => {
  const { records, stop } = await startRecords()
  const { code, stdout } = await records('plants', '9007199254740993')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^id +9007199254740993\nname +Ficus\n/)])
  expect((await records('plants', '9007199254740993', '--json')).stdout).toContain('"id":9007199254740993')
  await stop()
})

test('keys are shown as fingerprints', async () => {
  const { records, stop } = await startRecords()
  for (const json of [[], ['--json']]) {
    const { code, stdout } = await records('keys', ...json)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/fp_[0-9a-f]{12}/)])
    expect(stdout).not.toMatch(/key_own|sk_live/)
  }
  await stop()
})

test('records says what is wrong, with exit code 2', async () => {
  const { records, stop } = await startRecords()
  const failures: [words: string[], message: RegExp][] = [
    [['plant'], /There is no collection "plant".*Did you mean "plants"\?/],
    [['plants', '77'], /77/],
    [['plants', '--where', 'tag'], /--where tag: expected FIELD=VALUE, such as --where tag=tree\./],
    [['plants', '--where', 'tga=tree'], /tga/],
    [['plants', '--limit', 'few'], /--limit few: expected a whole number/],
    [['--sort', 'name'], /--sort: use it with a collection, without an id/],
    [['plants', '1', '--limit', '2'], /--limit: use it with a collection, without an id/],
  ]
  for (const [words, message] of failures)
    expect(await records(...words), words.join(' ')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  await stop()
})

test('what records hold drives no terminal', async () => {
  const hostile = '\u001b[2J\u202e\u009b31m'
  const { ready, call, stop } = await startServe()
  const made = await call('/plants', { method: 'POST', body: JSON.stringify({ id: 5000, name: `a${hostile}\nb` }) })
  expect(made.status).toBe(200)
  for (const words of [
    ['plants'],
    ['plants', '5000'],
    ['plants', '--json'],
    ['plants', '--where', `name=${hostile}`],
  ]) {
    const { stdout, stderr } = await run(['records', ...words, '--server', ready.plants_url])
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr, words.join(' ')).not.toMatch(/[\u001b\u009b\u202e]/)
  }
  expect((await run(['records', 'plants', '5000', '--server', ready.plants_url])).stdout).toContain('a\\x1b[2J\\u202e')
  const { stdout } = await run(['records', 'plants', '5000', '--json', '--server', ready.plants_url])
  expect(JSON.parse(stdout).name).toBe(`a${hostile}\nb`)
  await stop()
})
