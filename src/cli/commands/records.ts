import { nonNegative, pair, textValue, words } from '../../api/config/flag-value.ts'
import { toJson } from '../../core/http/json.ts'
import { UsageError } from '../errors.ts'
import type { Flags } from '../flags/flags.ts'
import { defineServerCommand } from '../running-server.ts'
import type { OutputStream } from '../terminal.ts'
import { fitColumns, toTable } from '../output/table.ts'

const listFlags = {
  where: { each: pair('FIELD=VALUE', 'tag=tree'), describe: 'Only records whose field has this value: FIELD=VALUE' },
  search: { value: words, describe: 'Only records that contain this text' },
  sort: { value: textValue('the name of a field', 'name'), describe: 'Field to sort by; -FIELD for descending order' },
  limit: { value: nonNegative, describe: 'How many to list at most' },
  offset: { value: nonNegative, describe: 'How many to skip at the start' },
} satisfies Flags

export const recordsCommand = defineServerCommand({
  command: 'records [collection] [id]',
  describe: 'List collections or records of a running server, or show one record',
  positionals: () => ({
    collection: { describe: 'Name of a collection, such as plants' },
    id: { describe: 'Id of a record' },
  }),
  flags: listFlags,
  examples: [
    ['records plants --where tag=tree --sort=-id --limit 5', 'Some records'],
    ['records plants 12 --json', 'One record'],
  ],
  async run(server, { collection, id, where, search, sort, limit, offset }, { stdout }) {
    const chosen = { where: where.length > 0 ? where : undefined, search, sort, limit, offset }
    const given = Object.entries(chosen).find(([, value]) => value !== undefined)?.[0]
    if (given !== undefined && (collection === undefined || id !== undefined))
      throw new UsageError(
        `--${given}: use it with a collection, without an id: greenhouse-mock records plants --${given} ….`,
      )
    if (collection === undefined) {
      const answer = await server.call('GET /worlds/{world}/records')
      const rows = answer.data.map(({ name, size }) => [name, String(size)])
      return { answer, toText: () => toTable([['COLLECTION', 'RECORDS'], ...rows]) }
    }
    if (id !== undefined) {
      const path = { collection, id }
      const answer = await server.call('GET /worlds/{world}/records/{collection}/{id}', { path })
      return { answer, toText: () => toTable(Object.entries(answer).map(([field, value]) => [field, toText(value)])) }
    }
    const fields = Object.fromEntries(where.map(([field, value]) => [`where.${field}`, value]))
    const answer = await server.call('GET /worlds/{world}/records/{collection}', {
      path: { collection },
      query: { search, sort, limit, offset, ...fields },
    })
    return { answer, toText: () => toRecordTable(collection, answer as Answer, stdout) }
  },
})

const longestCell = 48

interface Answer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly total?: number
}

function toRecordTable(collection: string, { data, total = data.length }: Answer, stdout: OutputStream): string {
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
