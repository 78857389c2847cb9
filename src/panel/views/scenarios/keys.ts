import { focusedElement } from '../../data/surface.ts'
/** Moves the focus between cards with `j`, `k`, Home and End. */
export function moveInCards(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const list = event.currentTarget as HTMLElement
  const links = [...list.querySelectorAll<HTMLElement>('.scenario-open')]
  const place = links.findIndex((link) => link.closest('.scenario')!.contains(focusedElement() ?? null))
  const next = { j: place + 1, k: Math.max(0, place - 1), Home: 0, End: links.length - 1 }[event.key]
  const target = next === undefined ? undefined : links[Math.min(next, links.length - 1)]
  if (!target) return
  event.preventDefault()
  event.stopPropagation()
  target.focus()
  target.scrollIntoView({ block: 'nearest' })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(input|textarea|select)$/i.test(target.tagName)
}
