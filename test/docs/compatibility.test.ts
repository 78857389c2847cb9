import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cells, diagonal } from '../../.ci/matrix/dimensions.mjs'
import { toPage } from '../../.ci/matrix/page.mjs'
import { root } from '../package/packed.ts'

const results = JSON.parse(readFileSync(join(root, '.ci/matrix/results.json'), 'utf8')) as {
  name: string
  outcome: string
  reason?: string
}[]
const withoutSpaces = (page: string) => page.replace(/[ -]+/g, ' ')

test('the page of compatibility says what the matrix saw, and nothing else', () => {
  expect(withoutSpaces(readFileSync(join(root, 'docs/compatibility.md'), 'utf8'))).toBe(withoutSpaces(toPage(results)))
})

test('what the matrix saw is of cells that there are, each once', () => {
  const names = cells.map(({ name }) => name)
  expect(results.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(results.map(({ name }) => name)).size).toBe(results.length)
})

test('no cell fails without a reason', () => {
  expect(results.filter(({ outcome, reason }) => outcome === 'failed' || (outcome === 'cannot' && !reason))).toEqual([])
})

test('the diagonal has cells of every runner, msw and Node, and they exist', () => {
  const chosen = cells.filter(({ name }) => diagonal.includes(name))
  expect(chosen.map(({ name }) => name).sort()).toEqual([...diagonal].sort())
  for (const key of ['msw', 'node', 'generation'] as const)
    expect(new Set(chosen.map((cell) => cell[key]))).toEqual(new Set(cells.map((cell) => cell[key])))
})
