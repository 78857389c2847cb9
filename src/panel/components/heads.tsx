import type { ComponentChildren } from 'preact'
import { IconButton } from './button.tsx'
import { FilterInput } from './filter-input.tsx'

/** The filter of a list view, by text. */
interface HeadFilter {
  readonly label: string
  /** Texts to search for, as examples. */
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => unknown
}

/** The head of a view: its title, a filter by text, and further filters and actions. @param of what the title belongs to, for screen readers */
export function ViewHead({
  title,
  of,
  filter,
  kind,
  children,
}: {
  readonly title: string
  readonly of?: string
  readonly filter?: HeadFilter
  readonly kind?: string
  readonly children?: ComponentChildren
}) {
  return (
    <header class={kind === undefined ? 'view-head' : `view-head ${kind}`}>
      <h1>
        {of !== undefined && <span class="hidden-text">{of}: </span>}
        {title}
      </h1>
      {filter && <FilterInput {...filter} />}
      {children}
    </header>
  )
}

/** The head of details beside a list: what they are of, and a button that closes them. */
export function DetailHead({
  children,
  kind,
  closeLabel = 'Close (Esc)',
  onClose,
}: {
  readonly children: ComponentChildren
  readonly kind?: string
  readonly closeLabel?: string
  readonly onClose: () => unknown
}) {
  return (
    <header class="detail-head">
      <h2 class={kind}>{children}</h2>
      <IconButton icon="close" label={closeLabel} onClick={onClose} />
    </header>
  )
}
