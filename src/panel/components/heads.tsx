import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { usePanel } from '../data/panel.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { toCountText, toPlural } from './words.ts'

interface ViewHeadProps {
  readonly title: string
  readonly of?: string
  readonly kind?: string
  readonly search?: {
    readonly label: string
    readonly placeholder: string
  }
  readonly children?: ComponentChildren
  readonly count?: {
    readonly shown: number | undefined
    readonly all: number | undefined
    readonly item: string
    readonly note?: ComponentChildren
  }
  readonly actions?: ComponentChildren
}

export function ViewHead({ title, of, kind = '', search, children, count, actions }: ViewHeadProps) {
  const { router } = usePanel()
  return (
    <header class={`view-head row ${kind}`}>
      <h1>
        {of !== undefined && <span class="hidden-text">{of}: </span>}
        {title}
      </h1>
      {search && (
        <FilterInput
          {...search}
          value={router.route.value.params['search'] ?? ''}
          onChange={(text) => router.go({ params: { search: text || undefined, page: undefined } }, true)}
        />
      )}
      {children}
      {(count || actions) && <span class="spacer" />}
      {count && (
        <span class="muted" role="status">
          {toItemCount(count)}
          {count.note}
        </span>
      )}
      {actions}
    </header>
  )
}

function toItemCount({ shown, all, item }: NonNullable<ViewHeadProps['count']>): string {
  if (shown === undefined || all === undefined) return ''
  return shown === all ? toPlural(all, item) : `${toCountText(shown)} of ${toPlural(all, item)}`
}

interface DetailProps {
  readonly label: string
  readonly title: ComponentChildren
  readonly kind?: string
  readonly titleKind?: string
  readonly closeLabel?: string
  readonly onClose: () => unknown
  readonly children: ComponentChildren
}

export function Detail({
  label,
  title,
  kind = '',
  titleKind,
  closeLabel = 'Close (Esc)',
  onClose,
  children,
}: DetailProps) {
  return (
    <aside class={`split-detail ${kind}`} aria-label={label}>
      <header class="detail-head">
        <h2 class={titleKind}>{title}</h2>
        <IconButton icon="close" label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </aside>
  )
}

interface FilterInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
}

function FilterInput({ label, value, onChange, placeholder = 'Filter' }: FilterInputProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="filter-input line">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        data-filter
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          if (value === '') input.current!.blur()
          else onChange('')
        }}
      />
      {value === '' && <kbd>/</kbd>}
    </div>
  )
}
