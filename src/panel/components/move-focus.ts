import { focusedElement } from '../data/surface.ts'
import { isInput } from './keys.ts'

export function moveFocus(event: KeyboardEvent, items: string, target: string): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isInput(event.target)) return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(items)]
  const place = all.findIndex((item) => item.contains(focusedElement() ?? null))
  const down = place + 1
  const up = Math.max(0, place - 1)
  const next = { j: down, ArrowDown: down, k: up, ArrowUp: up, Home: 0, End: all.length - 1 }[event.key]
  const item = next === undefined ? undefined : all[Math.min(next, all.length - 1)]
  if (!item) return
  event.preventDefault()
  event.stopPropagation()
  item.querySelector<HTMLElement>(target)?.focus()
  item.scrollIntoView({ block: 'nearest' })
}
