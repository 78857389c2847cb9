import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

export interface Column<T> {
  readonly id: string
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  readonly sorts?: boolean
  readonly align?: 'start' | 'end'
  readonly isExtra?: boolean
}

/** A column's id and the direction. In URLs and queries: `id`, or `-id` for descending. */
interface Sort {
  readonly column: string
  readonly descending: boolean
}

export function toSort(text: string | undefined): Sort | undefined {
  if (!text) return undefined
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false }
}

export function fromSort({ column, descending }: Sort): string {
  return (descending ? '-' : '') + column
}

interface TableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  readonly onOpen?: (row: T) => void
  readonly opened?: string | undefined
}

export function Table<T>({ label, columns, rows, keyOf, sort, onSort, onOpen, opened }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const reachable = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === opened),
  )
  const onKeyDown = (event: KeyboardEvent, row: T) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const current = event.currentTarget as HTMLElement
    const target = {
      ArrowDown: current.nextElementSibling,
      j: current.nextElementSibling,
      ArrowUp: current.previousElementSibling,
      k: current.previousElementSibling,
      Home: body.current!.firstElementChild,
      End: body.current!.lastElementChild,
    }[event.key]
    if (event.key === 'Enter' && onOpen) onOpen(row)
    else if (target) (target as HTMLElement).focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row)}
              {...(onOpen && {
                tabIndex: index === reachable ? 0 : -1,
                'data-row': true,
                'aria-current': keyOf(row) === opened || undefined,
                onKeyDown: (event: KeyboardEvent) => onKeyDown(event, row),
                onClick: (event: MouseEvent) => !isControl(event.target) && onOpen(row),
              })}
            >
              {columns.map((column) => (
                <td key={column.id} class={toClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { id, title, sorts } = column
  const isSorted = sort?.column === id
  if (!sorts || !onSort)
    return (
      <th scope="col" class={toClass(column)}>
        {title}
      </th>
    )
  return (
    <th
      scope="col"
      class={toClass(column)}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class={`sort ${isSorted ? (sort.descending ? 'sort-down' : 'sort-up') : ''}`}
        onClick={() => onSort({ column: id, descending: isSorted && !sort.descending })}
      >
        {title}
        <Icon name="chevron" />
      </button>
    </th>
  )
}

function toClass<T>({ align, isExtra }: Column<T>): string {
  return [align === 'end' && 'align-end', isExtra && 'is-extra'].filter(Boolean).join(' ')
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, input, select, summary, label') !== null
}
