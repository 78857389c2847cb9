import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(root + file, 'utf8')

const entries = 'parts|core|plants|apps|fixtures|scenarios|journal|judge|webhook-tools|case'

const names = [
  // A name that is put together may be any of them.
  new RegExp(`(?<!node_modules/)greenhouse-mock/(${entries}|\\$\\{\\w+\\})(?![\\w/.-])`),
  /(?<![\w/-])greenhouse (serve|run|proxy|mcp|flip|check|config|types|status|log|scenario|case|clock|reset|trigger|verify)\b/,
]

test('no message, comment, page or example names an entry that went, or the old command', () => {
  const files = ['src', 'docs', 'examples', 'scenarios'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  expect(files.length).toBeGreaterThan(400)
  const found = [...files, 'README.md']
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(tsx?|m?js|cjs|md|yaml|json)$/.test(file))
    .filter((file) => !file.includes('node_modules'))
    .flatMap((file) => {
      const lines = read(file).split('\n')
      return lines
        .filter((line) => names.some((name) => name.test(line)))
        .map((line) => `${file}: ${line.trim()}`)
    })
  expect(found).toEqual([])
})
