import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(root + file, 'utf8')

/** The names of the changelog that work until 0.3: entries, types, the command. */
const [entries, types] = read('CHANGELOG.md')
  .match(/^\|.*until 0\.3 \|$/gm)!
  .map((row) => Array.from(row.split('|')[1]!.matchAll(/`([\w/-]+)`/g), ([, name]) => name!.split('/').at(-1)!))

const names = [
  // A name that is put together may be any of them.
  new RegExp(`(?<!node_modules/)greenhouse-mock/(${entries!.join('|')}|\\$\\{\\w+\\})(?![\\w/.-])`),
  // In a comment, the first word of a sentence.
  new RegExp(`\\b(${types!.join('|')})\\b(?! with)`),
  /(?<![\w/-])greenhouse (serve|run|proxy|mcp|flip|check|config|types|status|log|scenario|case|clock|reset|trigger|verify)\b/,
]

test('the changelog names what goes in 0.3', () => {
  expect(entries).toContain('webhook-tools')
  expect(types).toEqual(['Kept', 'KeptRecords', 'KeptScenario'])
})

test('no message, comment, generated test, page or example names what goes in 0.3', () => {
  const files = ['src', 'docs', 'examples', 'scenarios'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  expect(files.length).toBeGreaterThan(400)
  const found = [...files, 'README.md']
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(tsx?|m?js|cjs|md|yaml|json)$/.test(file))
    .filter((file) => !/node_modules|src\/(index|api\/greenhouse)\.ts$/.test(file))
    .flatMap((file) => {
      const lines = read(file).split('\n')
      return lines.filter((line) => names.some((name) => name.test(line))).map((line) => `${file}: ${line.trim()}`)
    })
  expect(found).toEqual([])
})
