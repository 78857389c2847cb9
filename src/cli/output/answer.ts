import { isObject } from '../../core/contract/options.ts'
import { toJson } from '../../core/http/json.ts'
import { fitColumns, toTable } from '../../output/table.ts'
import type { OutputStream } from '../terminal.ts'

const longestCell = 48

/**
 * Shows what an action answers: a list as a table, an object by its fields, a text as it is. @param
 * whenEmpty what an empty list means
 */
export function toAnswerText(
  answer: unknown,
  stdout: OutputStream,
  whenEmpty = 'Nothing was found.',
): string {
  if (!isObject(answer)) return 'Done.\n'
  const { data, text, total } = answer as {
    data?: unknown
    text?: unknown
    total?: number
  }
  if (typeof text === 'string') return text.endsWith('\n') ? text : `${text}\n`
  if (Array.isArray(data)) return toListText(data, total ?? data.length, stdout, whenEmpty)
  const parts = Object.entries(flatten(answer))
  const lists = parts.filter((part): part is [string, unknown[]] => isListOfObjects(part[1]))
  const fields = toTable(
    parts
      .filter(([, value]) => !isListOfObjects(value))
      .map(([name, value]) => [name, showField(value)]),
  )
  return [
    fields,
    ...lists.map(([name, list]) => `${name}\n${toListText(list, list.length, stdout, whenEmpty)}`),
  ].join('\n')
}

/** Takes what objects hold out of them: `clock.now`. */
function flatten(given: object): Record<string, unknown> {
  const parts = Object.entries(given).flatMap(([name, value]) => {
    if (isObject(value))
      return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
    return [[name, value]]
  })
  return Object.fromEntries(parts) as Record<string, unknown>
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

function toListText(
  rows: readonly unknown[],
  total: number,
  stdout: OutputStream,
  whenEmpty: string,
): string {
  const count = rows.length === total ? '' : `${rows.length} of ${total} in all.\n`
  if (rows.length === 0) return count === '' ? `${whenEmpty}\n` : count
  const records = rows.map((row) => flatten(isObject(row) ? row : { value: row }))
  const fields = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cells = records.map((record) => fields.map((field) => toCell(record[field])))
  const width = stdout.isTTY ? stdout.columns : undefined
  const { cells: shown, left } = fitColumns(
    [fields.map((field) => field.toUpperCase()), ...cells],
    width,
  )
  const rest =
    left === 0 ? '' : `Fields not shown: ${fields.slice(-left).join(', ')}. --json shows them.\n`
  const note = count + rest
  return toTable(shown) + (note === '' ? '' : `\n${note}`)
}

function toCell(value: unknown): string {
  const text = showField(value)
  if (text.length > longestCell) return `${text.slice(0, longestCell - 1)}…`
  return text
}

function showField(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  if (isPlainList) return value.join(', ')
  return toJson(value)
}
