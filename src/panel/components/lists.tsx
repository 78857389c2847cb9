import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { isInput } from './keys.ts'
import { Icon } from './marks.tsx'
import { focusedElement } from '../data/surface.ts'

export interface Column<T> {
  readonly title: string
  /** What the table can be sorted by with it. */
  readonly id?: string
  readonly cell: (row: T) => ComponentChildren
  readonly align?: 'start' | 'end'
  readonly isExtra?: boolean
}

export interface TableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /**
   * The id of the column that it is sorted by, after a minus if descending, as in URLs and queries.
   */
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
  readonly onOpen?: (row: T) => void
  readonly opened?: string | undefined
}

export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  sort,
  onSort,
  onOpen,
  opened,
}: TableProps<T>) {
  const reachable = rows.findIndex((row) => keyOf(row) === opened)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).hasAttribute('data-row')) return
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey)
      return moveFocus(event, '[data-row]')
    event.preventDefault()
    event.stopPropagation()
    ;(event.target as HTMLElement).click()
  }
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onOpen && onKeyDown}>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row)}
              {...(onOpen && {
                tabIndex: index === Math.max(0, reachable) ? 0 : -1,
                'data-row': true,
                'aria-current': keyOf(row) === opened || undefined,
                onClick: ({ target }: MouseEvent) =>
                  (target as Element).closest(controls) ?? onOpen(row),
              })}
            >
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

const controls = 'a, button, input, select, summary, label'

function Head<T>({
  column,
  sort,
  onSort,
}: Pick<TableProps<T>, 'sort' | 'onSort'> & { readonly column: Column<T> }) {
  const { id, title } = column
  if (id === undefined || !onSort)
    return (
      <th scope="col" class={toClass(column)}>
        {title}
      </th>
    )
  return (
    <th scope="col" class={toClass(column)} aria-sort={directionOf(id, sort)}>
      <SortButton {...{ id, title, sort, onSort }} />
    </th>
  )
}

const directionOf = (id: string, sort: string | undefined) =>
  sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : 'none'

interface SortButtonProps {
  readonly id: string
  readonly title: string
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

export function SortButton({ id, title, sort, onSort }: SortButtonProps) {
  const direction = directionOf(id, sort)
  const turn = () => onSort(direction === 'ascending' ? `-${id}` : id)
  return (
    <button
      type="button"
      class={`sort sort-${direction}`}
      title={`Sort by ${title.toLowerCase()}`}
      onClick={turn}
    >
      {title}
      <Icon name="chevron" />
    </button>
  )
}

function toClass<T>({ align, isExtra }: Column<T>): string {
  return [align === 'end' && 'align-end', isExtra && 'is-extra'].filter(Boolean).join(' ')
}

interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => number | string
  readonly rowHeight: number
  /** Draws a row: text and marks only, because a row cannot contain controls. */
  readonly render: (item: T) => ComponentChildren
  readonly opened: number | string | undefined
  /** @param event of the pointer; none if a key opened it. */
  readonly onOpen: (item: T, event?: MouseEvent) => void
  readonly hrefOf: (item: T) => string
}

/**
 * A list that draws only the visible rows, so that 20,000 scroll smoothly. `j`, `k`, arrow keys,
 * Page Up, Page Down, Home and End move, Enter opens; where an item is open, they open the next
 * one. The visible rows stay visible while new ones arrive above them, except at the very top.
 */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, keyOf, rowHeight, render, opened, onOpen, hrefOf } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const active = useSignal<number | string | undefined>(opened)
  const { first, end } = useRowsInSight(scroller, items.length, rowHeight)
  const newest = useRef<number | string | undefined>(undefined)

  const indexOf = (key: number | string | undefined) =>
    items.findIndex((item) => keyOf(item) === key)
  useLayoutEffect(() => {
    const element = scroller.current!
    const index = indexOf(newest.current)
    if (index > 0 && element.scrollTop > rowHeight / 2) element.scrollTop += index * rowHeight
    newest.current = items[0] && keyOf(items[0])
  }, [items])
  // A layout effect runs before the next key: a passive effect would undo a move made in between.
  useLayoutEffect(() => {
    if (opened === undefined) return
    active.value = opened
    const index = indexOf(opened)
    if (index >= 0) scrollIntoSight(scroller.current!, index, rowHeight)
  }, [opened])

  const moveTo = (index: number) => {
    const to = Math.max(0, Math.min(items.length - 1, index))
    if (items[to] === undefined) return
    active.value = keyOf(items[to])
    scrollIntoSight(scroller.current!, to, rowHeight)
    if (opened !== undefined) onOpen(items[to])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = indexOf(active.peek())
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const by = { ...steps, PageDown: page, PageUp: -page }[event.key]
    if (by !== undefined) moveTo(index + by)
    else if (event.key === 'Enter' && index >= 0) onOpen(items[index]!)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const rows = items.slice(first, end)
  const isActiveDrawn = rows.some((item) => keyOf(item) === active.value)
  return (
    <div
      class="virtual-list"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      data-list
      aria-label={label}
      aria-activedescendant={isActiveDrawn ? `${id}-${String(active.value)}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div
        class="virtual-list-space"
        role="presentation"
        style={{ height: `${items.length * rowHeight}px` }}
      >
        {rows.map((item, row) => {
          const index = first + row
          const key = keyOf(item)
          return (
            <a
              // Elements are used again for other items: making new ones takes three times as long.
              key={index % rows.length}
              id={`${id}-${key}`}
              role="option"
              href={hrefOf(item)}
              tabIndex={-1}
              draggable={false}
              aria-selected={key === opened}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              class={`virtual-row line ${key === active.value ? 'is-active' : ''}`}
              style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
              onClick={(event) => {
                // The browser opens it in a new tab.
                if (event.ctrlKey || event.metaKey) return
                event.preventDefault()
                active.value = key
                onOpen(item, event)
              }}
            >
              {render(item)}
            </a>
          )
        })}
      </div>
    </div>
  )
}

/** The extra rows above and below the visible ones, so that scrolling shows no gap. */
const spare = 8

const maxAtFirst = 40

function useRowsInSight(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const first = useSignal(0)
  const shown = useSignal(maxAtFirst)
  useLayoutEffect(() => {
    const element = scroller.current!
    const measure = () => {
      first.value = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spare)
      shown.value = Math.ceil(element.clientHeight / rowHeight) + 2 * spare
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [rowHeight])
  // A list that became shorter shows its end.
  const from = Math.max(0, Math.min(first.value, count - shown.value))
  return { first: from, end: Math.min(count, from + shown.value) }
}

function scrollIntoSight(element: HTMLElement, row: number, rowHeight: number): void {
  const top = row * rowHeight
  element.scrollTop = Math.min(
    top,
    Math.max(element.scrollTop, top + rowHeight - element.clientHeight),
  )
}

const steps: Readonly<Record<string, number>> = {
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
export function moveFocus(event: KeyboardEvent, items: string, target?: string): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isInput(event.target)) return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(items)]
  const index = all.findIndex((item) => item.contains(focusedElement() ?? null))
  const by = { ...steps, ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const item = by === undefined ? undefined : all[Math.max(0, Math.min(index + by, all.length - 1))]
  if (!item) return
  event.preventDefault()
  event.stopPropagation()
  const part = target === undefined ? item : item.querySelector<HTMLElement>(target)
  part?.focus()
  item.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/**
 * Lets arrows, Home and End move among the controls of an element that `items` selects, which are
 * one tab stop, unless `isEach` is one. Returns the attributes of the element.
 */
export function useRoving<T extends HTMLElement>(items: string, isEach = false) {
  const group = useRef<T>(null)
  const reach = (one: Element | null) => {
    for (const item of group.current!.querySelectorAll<HTMLElement>(items))
      item.tabIndex = item === one ? 0 : -1
  }
  useLayoutEffect(() => {
    if (isEach) return
    const find = (more: string) => group.current!.querySelector(`:is(${items})${more}`)
    reach(find('[tabindex="0"]') ?? find(':is([aria-current], [aria-selected="true"])') ?? find(''))
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
