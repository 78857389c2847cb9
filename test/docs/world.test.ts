import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { blocks } from './snippets/blocks.ts'

const types = readFileSync(join(root, 'dist/types/index.d.ts'), 'utf8')
const page = blocks.filter(({ file, language }) => file === 'docs/world.md' && language === 'ts')
const samples = page.map(({ text }) => text).join('\n')

function membersOf(name: string): string[] {
  const [, body = ''] =
    new RegExp(`^export interface ${name}(?:<.*>)?(?: extends \\w+)? \\{\n([^]*?)^\\}`, 'm').exec(types) ?? []
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[<(?:]/gm)].map(([, member]) => member!)
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
  const names = [...membersOf('JournalEntry'), ...membersOf('RecordTypes')]
  expect(names.length).toBeGreaterThan(25)
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
