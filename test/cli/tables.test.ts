import { expect, test } from 'vitest'
import { fitColumns, toTable } from '../../src/cli/output/table.ts'

test('columns are as wide as what they hold, and no line ends with spaces', () => {
  expect(
    toTable([
      ['ID', 'NAME', 'TAG'],
      ['1', 'Fern', ''],
      ['9007199254740993', '', 'tree'],
    ]),
  ).toBe('ID                NAME  TAG\n1                 Fern\n9007199254740993        tree\n')
})

test('what a cell holds stays on its line, and in its column', () => {
  expect(
    toTable([
      ['a\nb', '\u001b[2J'],
      ['c', '\u202e'],
    ]),
  ).toBe('a\\nb  \\x1b[2J\nc     \\u202e\n')
})

test('a line shows as many columns from the left as fit, and at least one', () => {
  const cells = [
    ['ID', 'NAME', 'TAG'],
    ['1', 'Fern', 'tree'],
  ]
  expect(fitColumns(cells, 14)).toEqual({ cells, left: 0 })
  expect(fitColumns(cells, 13)).toEqual({ cells: cells.map((row) => row.slice(0, 2)), left: 1 })
  expect(fitColumns(cells, 1)).toEqual({ cells: cells.map((row) => row.slice(0, 1)), left: 2 })
  expect(fitColumns(cells)).toEqual({ cells, left: 0 })
})

test('a list may have any number of rows', () => {
  expect(toTable(Array.from({ length: 200_000 }, () => ['a', 'b'])).length).toBe(200_000 * 'a  b\n'.length)
})
