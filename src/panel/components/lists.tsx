import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { isInput } from './keys.ts'
import { Icon } from './marks.tsx'
import { focusedElement } from '../data/surface.ts'

export interface Column<T> {
  title: string
  /** The order that the column gives to the table. */
  id?: string
  cell: (row: T) => ComponentChildren
  align?: 'start' | 'end'
  isExtra?: boolean
}

export interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /**
   * The id of the column that it is sorted by, after a minus if descending, as in URLs and queries.
   */
  sort?: string
  onSort?: (sort: string) => void
  onOpen?: (row: T) => void
  opened?: string
}

export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, keyOf, onOpen, opened } = props
  const reachable = rows.findIndex((row) => keyOf(row) === opened)
  const toOpening = (row: T, index: number) =>
    onOpen && {
      tabIndex: index === Math.max(0, reachable) ? 0 : -1,
      'data-row': true,
      'aria-current': index === reachable || undefined,
      onClick: ({ target }: MouseEvent) => (target as Element).closest(controls) ?? onOpen(row),
    }
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.title} {...props} column={column} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onOpen && moveOrOpen}>
          {rows.map((row, index) => (
            <tr key={keyOf(row)} {...toOpening(row, index)}>
              {columns.map((column) => (
                <td key={column.title} class={toClass(column)}>
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

function moveOrOpen(event: KeyboardEvent) {
  const row = event.target as HTMLElement
  if (!row.hasAttribute('data-row')) return
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey)
    return moveFocus(event, '[data-row]')
  event.preventDefault()
  event.stopPropagation()
  row.click()
}

const controls = 'a, button, input, select, summary, label'

type HeadProps<T> = TableProps<T> & { column: Column<T> }

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { id, title } = column
  const isSorted = id !== undefined && onSort
  return (
    <th
      scope="col"
      class={toClass(column)}
      aria-sort={isSorted ? directionOf(id, sort) : undefined}
    >
      {isSorted ? <SortButton {...{ id, title, sort, onSort }} /> : title}
    </th>
  )
}

function directionOf(id: string, sort: string | undefined) {
  if (sort === id) return 'ascending'
  return sort === `-${id}` ? 'descending' : 'none'
}

interface SortButtonProps {
  id: string
  title: string
  sort: string | undefined
  onSort: (sort: string) => void
}

export function SortButton({ id, title, sort, onSort }: SortButtonProps) {
  const direction = directionOf(id, sort)
  return (
    <button
      type="button"
      class={`sort sort-${direction}`}
      title={`Sort by ${title.toLowerCase()}`}
      onClick={() => onSort(direction === 'ascending' ? `-${id}` : id)}
    >
      {title}
      <Icon name="chevron" />
    </button>
  )
}

function toClass<T>({ align, isExtra }: Column<T>): string {
  return [align === 'end' && 'align-end', isExtra && 'is-extra'].filter(Boolean).join(' ')
}

/** The height of a row, in pixels. */
const rowHeight = 32

type Numbered = { id: number }

interface VirtualListProps<T extends Numbered> {
  label: string
  items: readonly T[]
  /** Draws a row: text and marks only, because a row cannot contain controls. */
  render: (item: T) => ComponentChildren
  opened: number | undefined
  /** @param event of the pointer; none if a key opened it. */
  onOpen: (item: T, event?: MouseEvent) => void
  hrefOf: (item: T) => string
}

/**
 * A list that draws only the visible rows, so that 20,000 scroll smoothly. `j`, `k`, arrow keys,
 * Page Up, Page Down, Home and End move, Enter opens; where an item is open, they open the next
 * one. The visible rows stay visible while new ones arrive above them, except at the very top.
 */
export function VirtualList<T extends Numbered>(props: VirtualListProps<T>) {
  const { label, items, opened, onOpen } = props
  const listId = useId()
  const active = useSignal(opened)
  const newest = useRef<number>(undefined)
  const sight = useSight(items.length)
  const indexOf = (id: number | undefined) => items.findIndex((item) => item.id === id)

  useLayoutEffect(() => {
    sight.keepPlace(indexOf(newest.current))
    newest.current = items[0]?.id
  }, [items])
  // A layout effect runs before the next key: a passive effect would undo a move made in between.
  useLayoutEffect(() => {
    if (opened === undefined) return
    active.value = opened
    sight.show(indexOf(opened))
  }, [opened])

  const onKeyDown = (event: KeyboardEvent) => {
    const by = stepOfKey(event, sight.pageSize())
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const index = Math.max(0, Math.min(items.length - 1, indexOf(active.peek()) + by))
    const item = items[index]
    if (!item) return
    active.value = item.id
    sight.show(index)
    if (event.key === 'Enter' || opened !== undefined) onOpen(item)
  }

  const rows = items.slice(sight.first, sight.end)
  const drawn = rows.find(({ id }) => id === active.value)
  return (
    <div
      class="virtual-list"
      ref={sight.ref}
      role="listbox"
      tabIndex={0}
      data-list
      aria-label={label}
      aria-activedescendant={drawn && `${listId}-${drawn.id}`}
      onKeyDown={onKeyDown}
    >
      <div
        class="virtual-list-space"
        role="presentation"
        style={{ height: `${items.length * rowHeight}px` }}
      >
        {rows.map((item, row) => (
          <VirtualRow
            // Elements are used again for other items: making new ones takes three times as long.
            key={(sight.first + row) % rows.length}
            {...props}
            {...{ listId, item, active }}
            index={sight.first + row}
          />
        ))}
      </div>
    </div>
  )
}

/** Returns by how many rows a key moves, if it does. */
function stepOfKey(event: KeyboardEvent, page: number): number | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  return {
    ...steps,
    PageDown: page,
    PageUp: -page,
    Enter: 0,
  }[event.key]
}

interface VirtualRowProps<T extends Numbered> extends VirtualListProps<T> {
  listId: string
  item: T
  index: number
  active: Signal<number | undefined>
}

function VirtualRow<T extends Numbered>(props: VirtualRowProps<T>) {
  const { listId, item, index, active, items, opened, onOpen } = props
  const { id } = item
  const open = (event: MouseEvent) => {
    // The browser opens it in a new tab.
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    active.value = id
    onOpen(item, event)
  }
  return (
    <a
      id={`${listId}-${id}`}
      role="option"
      href={props.hrefOf(item)}
      tabIndex={-1}
      draggable={false}
      aria-selected={id === opened}
      aria-setsize={items.length}
      aria-posinset={index + 1}
      class={`virtual-row line ${id === active.value ? 'is-active' : ''}`}
      style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
      onClick={open}
    >
      {props.render(item)}
    </a>
  )
}

/** The extra rows above and below the visible ones, so that scrolling shows no gap. */
const spare = 4

const maxAtFirst = 40

/**
 * What of a list is visible. It asks the browser only when that changes: each question costs a
 * layout.
 */
function useSight(count: number) {
  const ref = useRef<HTMLDivElement>(null)
  const above = useSignal(0)
  const shown = useSignal(maxAtFirst)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      above.value = Math.round(element.scrollTop / rowHeight)
      shown.value = Math.ceil(element.clientHeight / rowHeight)
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const drawn = shown.value + 2 * spare
  // A list that became shorter shows its end.
  const first = Math.max(0, Math.min(above.value - spare, count - drawn))
  return {
    ref,
    first,
    end: Math.min(count, first + drawn),
    pageSize: () => Math.max(1, shown.peek() - 2),
    /** Scrolls as far as rows were added above, unless the first one is in sight. */
    keepPlace(added: number) {
      if (added > 0 && above.peek() > 0) ref.current?.scrollBy(0, added * rowHeight)
    },
    show(row: number) {
      const element = ref.current
      if (row < 0 || !element) return
      const top = row * rowHeight
      const lowest = top + rowHeight - element.clientHeight
      element.scrollTop = Math.min(top, Math.max(element.scrollTop, lowest))
    },
  }
}

const steps: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Moves the focus among `items` of the element, with j, k and the keys for it: to the part of an
 * item that is a `target`.
 */
export function moveFocus(event: KeyboardEvent, items: string, target?: string) {
  if (event.ctrlKey || event.metaKey || event.altKey || isInput(event.target)) return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(items)]
  const index = all.findIndex((item) => item.contains(focusedElement() ?? null))
  const by = {
    ...steps,
    ArrowRight: 1,
    ArrowLeft: -1,
  }[event.key]
  const item = by === undefined ? undefined : all[Math.max(0, Math.min(index + by, all.length - 1))]
  if (!item) return
  event.preventDefault()
  event.stopPropagation()
  const part = target === undefined ? item : item.querySelector<HTMLElement>(target)
  part?.focus()
  item.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
  })
}

/**
 * Lets arrows, Home and End move among the controls of an element that `items` selects, which are
 * one tab stop, unless `isEach` is one. Returns the attributes of the element.
 */
export function useRoving<T extends HTMLElement>(items: string, isEach = false) {
  const group = useRef<T>(null)
  const reach = (one: Element | null | undefined) => {
    for (const item of group.current?.querySelectorAll<HTMLElement>(items) ?? [])
      item.tabIndex = item === one ? 0 : -1
  }
  useLayoutEffect(() => {
    if (isEach) return
    const find = (more: string) => group.current?.querySelector(`:is(${items})${more}`)
    reach(find('[tabindex="0"]') ?? find('[aria-current]') ?? find(''))
  })
  return {
    ref: group,
    onFocusIn({ target }: FocusEvent) {
      const item = (target as Element).closest(items)
      // The group itself has the focus after a skip to the list.
      if (item && !isEach) reach(item)
    },
    onKeyDown: (event: KeyboardEvent) => event.key.length > 1 && moveFocus(event, items),
  }
}
