import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { toFaultTable } from '../../build/reference.mjs'
import { conditions } from '../../src/scenarios/language/condition.ts'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { malformKinds } from '../../src/scenarios/language/malformation.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'
import { collections } from '../../src/catalogue/catalogue.ts'
import { own } from '../scenarios/helpers.ts'
import { problemsOf } from '../support/problems.ts'
import { writeFolder } from '../support/folder.ts'
import { open } from '../support/test-api.ts'
import { join } from 'node:path'
import { root } from '../package/packed.ts'
import { blocks } from './snippets/blocks.ts'

const text = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
const rows = new Map(
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => [/`(\w[\w-]*)/.exec(line)![1]!, line]),
)

test('docs/scenarios.md has a row for every effect and every condition', () => {
  expect([...rows.keys()]).toEqual(
    expect.arrayContaining([...effectKinds.map(({ name }) => name), ...Object.keys(conditions)]),
  )
})

test('docs/scenarios.md names every fault, and the build describes them as the code does', () => {
  for (const { kind } of faultKinds) expect(text).toContain(`\`${kind}\``)
  expect(readFileSync(join(root, 'dist/docs/faults.md'), 'utf8')).toContain(
    toFaultTable({ faultKinds, z }),
  )
})

test('docs/scenarios.md names every way in which a value can be wrong', () => {
  expect(
    malformKinds.filter((kind) => !text.includes(`\`${kind}\``) && !text.includes(`\`'${kind}'\``)),
  ).toEqual([])
})

test('the scenarios that docs/scenarios.md shows can be loaded', () => {
  const shown = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, scenario]) => scenario!)
  expect(shown.length).toBeGreaterThan(1)
  const files = Object.fromEntries(
    shown.map((scenario, place) => [`shown-${place}.yaml`, scenario]),
  )
  expect(problemsOf(files, loadScenarios)).toEqual([])
})

test('after, every and times count as docs/scenarios.md says', async () => {
  expect(text).toContain('`{ after: 2, every: 3, times: 2 }` acts on the 5th and the 8th request')
  const scenarios = own({
    respond: [{ on: 'plants.list', status: 503, after: 2, every: 3, times: 2 }],
  })
  const { call } = open({ scenarios, use: ['own'] })
  const statuses: number[] = []
  for (let request = 1; request <= 12; request++) {
    await call('GET', '/v1/apps', { key: null })
    statuses.push((await call('GET', '/plants')).status)
  }
  expect(statuses.flatMap((status, place) => (status === 503 ? [place + 1] : []))).toEqual([5, 8])
})

test('the effects of a file act in the order of the table, whatever the order in the file', async () => {
  expect(effectKinds.map(({ name }) => name)).toEqual([...rows.keys()].slice(0, effectKinds.length))
})

const shown = /```yaml\n(.*?)```/s.exec(
  readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8'),
)![1]!

test('the fixtures in docs/fixtures.md load, and have every collection that files can fill', async () => {
  const fixtures = loadFixtures(writeFolder({ 'shown.yaml': shown }))
  expect(Object.keys(fixtures)).toEqual(
    expect.arrayContaining(
      collections.map(({ name }) => name).filter((name) => name !== 'deliveries'),
    ),
  )
  const messages = '/v1/apps/app_one/conversations/conv_one/messages'
  const { body } = await open({ fixtures }).call('GET', messages, { key: 'key_me' })
  expect(body.data).toMatchObject([{ content: 'Hi!' }, { content: 'Hello' }])
})

const types = readFileSync(join(root, 'dist/types/index.d.ts'), 'utf8')
const page = blocks.filter(({ file, language }) => file === 'docs/world.md' && language === 'ts')
const samples = page.map(({ text }) => text).join('\n')

function membersOf(name: string): string[] {
  const [, body = ''] =
    new RegExp(
      `^(?:export )?interface ${name}(?:<.*>)?(?: extends \\w+)? \\{\n([^]*?)^\\}`,
      'm',
    ).exec(types) ?? []
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[<(?:]/gm)].map(
    ([, member]) => member!,
  )
  return [...new Set(members)]
}

for (const [name, called] of [
  ['World', 'world'],
  ['Clock', 'world.clock'],
  ['Records', 'records.plants'],
  ['Journal', 'journal'],
  ['Greenhouse', 'greenhouse'],
] as const)
  // The compiler says so of members that do not exist: docs/snippets compiles the samples.
  test(`docs/world.md has an example of every member of ${name}`, () => {
    const members = membersOf(name)
    expect(members.length).toBeGreaterThan(5)
    // `const { journal } = greenhouse.world()` takes a member, too.
    const isShown = (member: string) =>
      new RegExp(
        `\\b${called.replace('.', '\\.')}\\.${member}\\b|\\{ ${member} \\} = \\w+\\.${name.toLowerCase()}\\(`,
      ).test(samples)
    expect(members.filter((member) => !isShown(member))).toEqual([])
  })

test('docs/world.md names every option, every field of a journal entry, and every collection', () => {
  const text = readFileSync(join(root, 'docs/world.md'), 'utf8')
  const options = membersOf('GreenhouseOptions')
  expect(options.length).toBeGreaterThan(10)
  expect(options.filter((option) => !text.includes(`| \`${option}\` |`))).toEqual([])
  const names = ['EntrySummary', 'EntryOutline', 'JournalEntry', 'RecordTypes'].flatMap(membersOf)
  expect(names.length).toBeGreaterThan(25)
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
