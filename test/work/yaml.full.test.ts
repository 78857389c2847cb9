import { expect, test } from 'vitest'
import { parseYaml } from '../../src/files/yaml.ts'
import { workOf } from '../support/work.ts'

const count = 20_000

test('a map of many keys takes hardly more work than a list of as many items', () => {
  const map = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('')
  const list = Array.from({ length: count }, (_, index) => `- k${index}\n`).join('')
  expect(parseYaml('x.yaml', map).problems).toEqual([])
  // Each key was compared with all before it: it took ten times as much.
  expect(workOf(() => parseYaml('x.yaml', map), 2)).toBeLessThan(5 * workOf(() => parseYaml('x.yaml', list), 2))
})

test('many problems in one map are placed without going over it for each', () => {
  const map = parseYaml('x.yaml', Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join(''))
  const list = parseYaml('x.yaml', Array.from({ length: count }, (_, index) => `- k${index}\n`).join(''))
  const locateAll = (file: typeof map, step: (index: number) => PropertyKey) => () => {
    for (let index = 0; index < count; index++) file.locate({ file: 'x.yaml', path: [step(index)], message: 'x' })
  }
  expect(map.locate({ file: 'x.yaml', path: ['k19999'], message: 'x' })).toMatchObject({ line: 20_000, column: 1 })
  expect(
    workOf(
      locateAll(map, (index) => `k${index}`),
      2,
    ),
  ).toBeLessThan(
    20 *
      workOf(
        locateAll(list, (index) => index),
        2,
      ) +
      20,
  )
})

test('a duplicate key is still reported with its place, even when it is written differently', () => {
  const problemsOf = (text: string) =>
    parseYaml('x.yaml', text).problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)
  expect(problemsOf('a: 1\nb:\n  d: { e: 1, "e": 2 }\na: 3\n')).toEqual([
    '3:14: Map keys must be unique: e exists already',
  ])
  expect(problemsOf("1: a\n'1': b\n")).toEqual(['2:1: Map keys must be unique: 1 exists already'])
})
