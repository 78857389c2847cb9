import { focusedElement } from '../../data/surface.ts'
/** Moves the focus between assumptions with `j`, `k`, Home and End. */
export function moveInRows(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.assumption')]
  const place = rows.findIndex((row) => row.contains(focusedElement() ?? null))
  const next = { j: place + 1, k: Math.max(0, place - 1), Home: 0, End: rows.length - 1 }[event.key]
  const row = next === undefined ? undefined : rows[Math.min(next, rows.length - 1)]
  if (!row) return
  event.preventDefault()
  event.stopPropagation()
  row.querySelector<HTMLElement>('[aria-pressed=true], a, button')?.focus()
  row.scrollIntoView({ block: 'nearest' })
}
