import { toJson } from '../../core/http/json.ts'
import { createControlClient } from '../control-client.ts'
import type { ArgumentsOf, Flags } from '../flags/flags.ts'
import { jsonFlag, serverFlags, toTarget } from '../flags/server.ts'
import * as values from '../flags/values.ts'
import { print, printJson } from '../output/print.ts'
import { fitColumns, toTable } from '../output/table.ts'
import type { Terminal } from '../terminal.ts'

type Shown = Readonly<Record<string, unknown>>

const longestCell = 48

export async function printRecords(args: RecordsArguments, terminal: Terminal): Promise<void> {
  const { collection, id, json } = args
  const client = createControlClient(toTarget(args, terminal))
  if (collection === undefined) {
    const answer = await client.call('GET /worlds/{world}/records')
    if (json) return printJson(terminal, answer)
    return print(
      terminal,
      toTable([['COLLECTION', 'RECORDS'], ...answer.data.map(({ name, size }) => [name, String(size)])]),
    )
  }
  if (id !== undefined) {
    const record = (await client.call('GET /worlds/{world}/records/{collection}/{id}', {
      path: { collection, id },
    })) as Shown
    return json
      ? printJson(terminal, record)
      : print(terminal, toTable(Object.entries(record).map(([field, value]) => [field, toText(value)])))
  }
  const { where, search, sort, limit, offset } = args
  const fields = Object.fromEntries(where.map(([field, value]) => [`where.${field}`, value]))
  const answer = await client.call('GET /worlds/{world}/records/{collection}', {
    path: { collection },
    query: { search, sort, limit, offset, ...fields },
  })
  if (json) printJson(terminal, answer)
  else print(terminal, toRecordTable(collection, answer as { data: Shown[]; total?: number }, terminal))
}

function toRecordTable(
  collection: string,
  { data, total = data.length }: { data: readonly Shown[]; total?: number },
  { stdout }: Terminal,
): string {
  const count = data.length === total ? '' : `${data.length} of ${total} records.\n`
  if (data.length === 0) return count === '' ? `There is no such record in ${collection}.\n` : count
  const fields = [...new Set(data.flatMap((record) => Object.keys(record)))]
  const rows = data.map((record) => fields.map((field) => toCell(record[field])))
  const width = stdout.isTTY ? stdout.columns : undefined
  const { cells, left } = fitColumns([fields.map((field) => field.toUpperCase()), ...rows], width)
  const rest = left === 0 ? '' : `Fields not shown: ${fields.slice(-left).join(', ')}. --json shows them.\n`
  return toTable(cells) + (count + rest === '' ? '' : `\n${count}${rest}`)
}

function toCell(value: unknown): string {
  const text = toText(value)
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : toJson(value)
}

export const listFlags = {
  where: { each: values.condition, describe: 'Only records whose field has this value: FIELD=VALUE' },
  search: { value: values.words, describe: 'Only records that contain this text' },
  sort: { value: values.sortField, describe: 'Field to sort by; -FIELD for descending order' },
  limit: { value: values.nonNegativeInteger, describe: 'How many to list at most' },
  offset: { value: values.nonNegativeInteger, describe: 'How many to skip at the start' },
} satisfies Flags

export const recordsFlags = { ...serverFlags, ...listFlags, ...jsonFlag }

export type RecordsArguments = ArgumentsOf<typeof recordsFlags> & { collection?: string; id?: string }
