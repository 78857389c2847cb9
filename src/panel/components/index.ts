import { after } from '../../core/time/clock.ts'
import { focusedElement } from '../data/surface.ts'
import { isInput } from './keys.ts'

export { useActions } from './actions.ts'
export { Button, IconButton } from './button.tsx'

export { CodeFrame } from './copy.tsx'
export { confirmed } from './dialog.tsx'
export { copyWithToast, CopyButton, CopyCode } from './copy.tsx'
export { Dialog, useModal } from './dialog.tsx'

export { Fact, Facts, HeaderFacts } from './facts.tsx'
export { FilterSelect, FilterToggle } from './filters.tsx'
export { DialogForm } from './form/dialog-form.tsx'
export { FormFailure } from './form/field.tsx'
export { FieldRow } from './form/field.tsx'
export { pretty } from './form/draft.ts'
export { SelectField } from './form/field.tsx'
export { TextField, type TextFieldProps } from './form/field.tsx'
export { useSubmit } from './form/dialog-form.tsx'
export { SchemaForm } from './form/schema-form.tsx'
export { Detail, ViewHead } from './heads.tsx'
export { Icon } from './icon.tsx'
export { JsonTree } from './json-tree.tsx'
export { useEscape, useKeys } from './keys.ts'
export { Link } from './nav-list.tsx'
export { Menu, type MenuItem } from './menu.tsx'

export { NavList, type NavItem } from './nav-list.tsx'
export { Prose } from './facts.tsx'
export { QuotaMeter } from './quota-meter.tsx'
export { Select } from './select.tsx'
export { EmptyState, ErrorState, Loaded, Skeleton } from './states.tsx'
export { Badge, Mark, StatusBadge, Tag, toneOfStatus, type Tone } from './status.tsx'
export { Switch } from './select.tsx'
export { fromSort, Table, toSort, type Column } from './table.tsx'
export { Tabs } from './tabs.tsx'
export { ClockTime, Duration, RelativeTime } from './time.tsx'
export { Timeline } from './status.tsx'
export { attempt, forgetUndos, toast, toastFailure, undoLast } from './toast.tsx'
export { VirtualList } from './virtual-list.tsx'
export { toBytesText, toCountText, toDurationText, toPlural, toSearch } from './words.ts'

export function chooseFile(accept: string): Promise<File | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
}

export function downloadText(file: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  after(10_000, () => URL.revokeObjectURL(url))
}

export function moveFocus(event: KeyboardEvent, items: string, target: string): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isInput(event.target)) return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(items)]
  const index = all.findIndex((item) => item.contains(focusedElement() ?? null))
  const down = index + 1
  const up = Math.max(0, index - 1)
  const next = { j: down, ArrowDown: down, k: up, ArrowUp: up, Home: 0, End: all.length - 1 }[event.key]
  const item = next === undefined ? undefined : all[Math.min(next, all.length - 1)]
  if (!item) return
  event.preventDefault()
  event.stopPropagation()
  item.querySelector<HTMLElement>(target)?.focus()
  item.scrollIntoView({ block: 'nearest' })
}
