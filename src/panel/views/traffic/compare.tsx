import { Loaded } from '../../components/content.tsx'
import { Detail } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { toPlural } from '../../components/words.ts'
import { usePanel, useResource } from '../../data/panel.ts'
import type { JournalEntry } from '../../data/control.ts'
import { parseSentBody } from '../../../core/journal/entry-view.ts'
import { isObject } from '../../../core/contract/options.ts'
import { pathOf } from './log.ts'

interface ComparedPart {
  name: string
  values: readonly (string | undefined)[]
}

/** Compares two requests: what differs, and below it what is the same. */
export default function Comparison({
  ids,
  onClose,
}: {
  ids: readonly [number, number]
  onClose: () => void
}) {
  const { control } = usePanel()
  const read = (id: number) => control.call('GET /worlds/{world}/journal/{id}', { id })
  const entries = useResource(() => Promise.all(ids.map(read)), [])
  const columns: readonly Column<ComparedPart>[] = [
    { title: 'Part', cell: ({ name }) => name },
    ...ids.map((id, index) => ({
      title: `no. ${id}`,
      cell: ({ values }: ComparedPart) => values[index] ?? <small>absent</small>,
    })),
  ]
  return (
    <Detail
      label={`Requests ${ids[0]} and ${ids[1]}`}
      title={`no. ${ids[0]} and no. ${ids[1]}`}
      onClose={onClose}
    >
      <Loaded resource={entries}>
        {(found) => <Parts parts={pairParts(found.map(comparedPartsOf))} columns={columns} />}
      </Loaded>
    </Detail>
  )
}

function Parts({
  parts,
  columns,
}: {
  parts: readonly ComparedPart[]
  columns: readonly Column<ComparedPart>[]
}) {
  const differing = parts.filter(({ values: [one, other] }) => one !== other)
  const equal = parts.filter(({ values: [one, other] }) => one === other)
  const shared = {
    columns,
    keyOf: ({ name }: ComparedPart) => name,
  }
  return (
    <div class="breaks">
      <h3 class="part-head">{toPlural(differing.length, 'difference')}</h3>
      {differing.length > 0 && <Table label="Differences" rows={differing} {...shared} />}
      <details>
        <summary>{toPlural(equal.length, 'equal part')}</summary>
        <Table label="Equal parts" rows={equal} {...shared} />
      </details>
    </div>
  )
}

function comparedPartsOf(entry: JournalEntry): ReadonlyMap<string, string> {
  const { request, response, reason, scenarios, operation } = entry
  const parts = new Map<string, string>()
  const put = (name: string, value: unknown) => {
    if (value !== undefined && value !== '') parts.set(name, String(value))
  }
  const putMessage = (
    side: string,
    headers: Readonly<Record<string, string | readonly string[]>>,
    body?: string,
  ) => {
    for (const [name, value] of Object.entries(headers))
      put(`${side} header ${name.toLowerCase()}`, value)
    putBody(`${side} body`, parseSentBody(body), put)
  }
  put('status', response.status)
  put('reason', reason)
  put('scenarios', scenarios.join(', '))
  put('method', request.method)
  put('path', pathOf(entry))
  put('operation', operation)
  putMessage('request', request.headers, request.body)
  putMessage('reply', { ...response.headers, ...response.repeated }, response.body)
  return parts
}

function putBody(name: string, value: unknown, put: (name: string, value: unknown) => void) {
  if (isObject(value) || Array.isArray(value))
    for (const [member, part] of Object.entries(value)) putBody(`${name} ${member}`, part, put)
  else put(name, value)
}

function pairParts(found: readonly ReadonlyMap<string, string>[]): readonly ComparedPart[] {
  const names = new Set(found.flatMap((parts) => [...parts.keys()]))
  return [...names].map((name) => ({
    name,
    values: found.map((parts) => parts.get(name)),
  }))
}
