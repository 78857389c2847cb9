import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../dist/types/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'))
const docstrings = (name: string) => [
  ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^.*\/\*\*(?:[^*]|\*(?!\/))*\*\/.*$/gm),
]

test.each(files)('editors find every docstring of %s: it is on separate lines', (name) => {
  const found = docstrings(name).map(([lines]) => lines.trim())
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((lines) => !lines.startsWith('/**') || !lines.endsWith('*/'))).toEqual([])
})

test.each(files)('no word of a docstring of %s is a tag by mistake', (name) => {
  const tags = docstrings(name).flatMap(([lines]) => lines.match(/(?<=\s)@\w+/g) ?? [])
  expect(tags.filter((tag) => !['@example', '@note', '@param', '@throws'].includes(tag))).toEqual([])
})
