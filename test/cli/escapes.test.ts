import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { markSent } from '../../src/core/http/reply.ts'
import { createGreenhouse } from '../../src/index.ts'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

/** Clears a screen, sets a title, changes colours; the C1 form of the first; turns text around; a separate line. */
const hostile = '\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2028\r\x7f'

/** Characters that a terminal acts on, or that let text look like a line of ours. */
// eslint-disable-next-line no-control-regex
const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** The same without line ends, which titles cannot have. */
const line = hostile.replace(/[\r\u2028]/g, '')

const asYaml = JSON.stringify(line)

const scenario = `title: ${asYaml}\ndescription: ${asYaml}\ncovers: ${asYaml}\nassume: { plants.delete.unknown: 204 }\n`

async function expectSafe(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(args)
  expect(stdout + stderr, args.join(' ')).not.toMatch(unsafe)
  return stdout + stderr
}

test('texts of files and their names are shown with visible escapes', async () => {
  const folder = writeFolder({
    'scenarios/own.yaml': scenario,
    [`bro\nken/${line}.yaml`]: `title: ${asYaml}\n${asYaml}: 1\nassume: { ${asYaml}: 1 }\n`,
    [`fixtures/${line}.yaml`]: `plants: [{ id: 1, name: a, account: ${asYaml} }]\n${asYaml}: []\n`,
  })
  expect(await expectSafe('scenario', 'list', '--scenarios', join(folder, 'scenarios'))).toContain(
    '\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\u202e',
  )
  expect(await expectSafe('scenario', 'show', 'own', '--scenarios', join(folder, 'scenarios'))).toContain('\\x1b[2J')
  const problems = await expectSafe('check', join(folder, 'bro\nken'), join(folder, 'fixtures'))
  expect(problems).toContain('\\x1b[2J')
  expect(
    problems
      .trimEnd()
      .split('\n')
      .filter((line) => !/:\d+:\d+: /.test(line)),
  ).toEqual([])
  expect(await expectSafe('serve', '--fixtures', join(folder, 'fixtures'))).toContain('Failed to load the fixtures')
  await expectSafe('serve', '--scenarios', join(folder, 'bro\nken'))
})

test('the words of a command are shown with visible escapes', async () => {
  for (const args of [
    [hostile],
    ['serve', '--scenario', hostile],
    ['serve', '--fixtures', hostile],
    ['scenario', 'show', hostile],
    ['scenario', 'use', 'slow', '--world', hostile],
    ['run', '--', line],
  ])
    expect(await expectSafe(...args)).toMatch(/\\(x|u00)1b\[2J/)
})

test('requests print none in the log, in both of its forms', async () => {
  const greenhouse = createGreenhouse()
  const logs = { pretty: '', json: '' }
  const ends = (['pretty', 'json'] as const).map((format) =>
    logRequests(
      greenhouse,
      format,
      { writableLength: 0, write: (text: string) => (logs[format] += text) } as never,
      {},
    ),
  )
  // Node's parser refuses such a URL; a host that has another may not.
  markSent(
    await greenhouse.handle({ method: 'GET', path: `/plants/${hostile}\n`, search: hostile, headers: {}, body: null }),
  )
  for (const end of ends) end()
  expect(logs.pretty + logs.json).not.toMatch(unsafe)
  expect(logs.pretty.split('\n')).toEqual([
    expect.stringContaining(' /plants/\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\u202e'),
    '',
  ])
  expect(JSON.parse(logs.json)).toMatchObject({ request: { url: `/plants/${hostile}\n?${hostile}` } })
})
