import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { duplicateNames, oldWords } from '../../build/names.mjs'
import { writeFolder } from '../support/folder.ts'
import { expectOutput, takeOutput } from '../support/output.ts'

test('a name that two files export, or give a type, is reported once, with both files', () => {
  const folder = writeFolder({
    'core/http/reply.ts':
      'interface Part {}\nexport interface Reply {}\nexport function read(): void\nexport function read(): void {}\n',
    'panel/reply.tsx': 'type Part = string\nexport function Reply() {}\nfunction read() {}\n',
    'core/http/index.ts': "export type { Reply } from './reply.ts'\n",
  })
  expect(duplicateNames(folder)).toEqual([
    'src/core/http/reply.ts and src/panel/reply.tsx have the name Part. Give each its own.',
    'src/core/http/reply.ts and src/panel/reply.tsx have the name Reply. Give each its own.',
  ])
})

test('an error has the name of its class', () => {
  const text = "export class GoneError extends Error {\n  override name = 'LostError'\n}\n"
  expect(duplicateNames(writeFolder({ 'core/errors.ts': text }))).toEqual([
    'src/core/errors.ts: the error GoneError has the name LostError. Give it the name of its class.',
  ])
  expect(duplicateNames(writeFolder({ 'core/errors.ts': text.replace('Lost', 'Gone') }))).toEqual(
    [],
  )
})

test('both areas answer the same questions of the core, and so under the same names', () => {
  const text = 'export const toErrorReply = () => 0\n'
  expect(
    duplicateNames(writeFolder({ 'areas/apps/errors.ts': text, 'areas/plants/errors.ts': text })),
  ).toEqual([])
  expect(
    duplicateNames(writeFolder({ 'areas/apps/errors.ts': text, 'areas/event-types.ts': text })),
  ).toHaveLength(1)
})

test('a word that was replaced is reported in a declared name and in a comment, with what to say', () => {
  const text = "/** What a guest sees. */\nexport const mostGuests = 2\n\nconst text = 'a guest'\n"
  expect(oldWords(writeFolder({ 'core/guests.ts': text }))).toEqual([
    'src/core/guests.ts: mostGuests has the word most. Say max.',
    'src/core/guests.ts:1: the comment says "guest". Use a plain word.',
  ])
  expect(oldWords(writeFolder({ 'core/generated/guests.ts': text }))).toEqual([])
})

type Edit = { readonly file: string; readonly find: string }

const root = new URL('../../', import.meta.url)

test('the seeded faults still fit the code that they break', async () => {
  const { faults } = (await import(new URL('.ci/faults/faults.mjs', root).href)) as {
    faults: { name: string; edits: Edit[]; after?: Edit[] }[]
  }
  const all = faults.flatMap(({ name, edits, after = [] }) =>
    [...edits, ...after].map((edit) => ({ name, ...edit })),
  )
  expect(all.length).toBeGreaterThan(40)
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  expect(all.filter(({ file, find }) => read(file).split(find).length !== 2)).toEqual([])
})

test('output of a test and warnings of Node are kept for the test to expect', async () => {
  console.error('one', { two: 2 })
  process.stderr.write('three\n')
  process.stdout.write(Buffer.from('four\n'))
  process.emitWarning('five')
  await new Promise((resolve) => setImmediate(resolve))
  expectOutput(
    /^console\.error: one \{ two: 2 \}$/,
    /^stderr: three\n$/,
    /^stdout: four\n$/,
    /^warning: Warning: five\n/,
  )
})

test('unexpected output fails its test at the end', () => {
  console.warn('unexpected')
  expect(() => expectOutput()).toThrow()
  console.warn('unexpected')
  expect(takeOutput()).toEqual(['console.warn: unexpected'])
})
