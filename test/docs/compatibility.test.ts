import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cells, diagonal, rowOf, wideDiagonal } from '../../.ci/matrix/dimensions.mjs'
import { toPage } from '../../.ci/matrix/page.mjs'
import { nodes } from '../../.ci/programs.mjs'
import { root } from '../package/packed.ts'

const results = JSON.parse(readFileSync(join(root, '.ci/matrix/results.json'), 'utf8')) as {
  row: string
  nodes: Record<string, { outcome: string; reason?: string }>
}[]

test('the page of compatibility says what the matrix saw, and nothing else', () => {
  expect(readFileSync(join(root, 'dist/docs/compatibility.md'), 'utf8')).toBe(toPage(results))
})

test('the matrix has one result for each of its cells', () => {
  const known = new Set(cells.map((cell) => `${rowOf(cell)}, ${cell.node}`))
  const names = results.flatMap(({ row, nodes }) =>
    Object.keys(nodes).map((node) => `${row}, ${node}`),
  )
  expect(names.filter((name, index) => !known.has(name) || names.indexOf(name) !== index)).toEqual(
    [],
  )
})

test('no cell fails without a reason', () => {
  const seen = results.flatMap(({ nodes }) => Object.values(nodes))
  expect(
    seen.filter(({ outcome, reason }) => outcome === 'failed' || (outcome === 'cannot' && !reason)),
  ).toEqual([])
})

test('the diagonals name existing cells; the wide one has every Node, msw and tool generation', () => {
  const named = (names: readonly string[]) => cells.filter(({ name }) => names.includes(name))
  expect(named(wideDiagonal).map(({ name }) => name)).toHaveLength(wideDiagonal.length)
  expect(wideDiagonal).toEqual(expect.arrayContaining([...diagonal]))
  for (const key of ['node', 'msw', 'generation'] as const)
    expect(new Set(named(wideDiagonal).map((cell) => cell[key]))).toEqual(
      new Set(cells.map((cell) => cell[key])),
    )
})

test('package.json, .nvmrc and the documentation name the Nodes of the matrix', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(JSON.parse(read('package.json')).engines.node).toMatch(new RegExp(`^>=${nodes[0]}\\.`))
  expect(read('.nvmrc')).toBe(`${nodes.at(-1)}\n`)
  const tested = `Node 20.19 or later; tests run on ${nodes.slice(0, -1).join(', ')} and ${nodes.at(-1)}`
  expect(
    [read('CONTRIBUTING.md'), read('docs/get-started.md')].filter((page) => !page.includes(tested)),
  ).toEqual([])
})
