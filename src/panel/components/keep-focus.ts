import { after } from '../../core/time/clock.ts'
import { focusedElement, surfaceRoot } from '../data/surface.ts'

/** What may get the focus: a list with keys first; no input, which would take the panel's keys; nothing that deletes. */
const lists = '[data-list], [data-row][tabindex="0"]'
const controls = ':is(button, a[href], summary, [tabindex="0"]):not(:disabled, .button-danger, .icon-button-danger)'

/** Moves the focus to the nearest list or control, or else to the view, when the focused element is removed or disabled. Returns a function that ends this. */
export function keepFocus(element: HTMLElement): () => void {
  let last: HTMLElement | undefined
  /** The elements around it, innermost first. A removed element has no parents. */
  let around: readonly HTMLElement[] = []
  const onFocus = (event: Event) => {
    const path = event.composedPath() as HTMLElement[]
    last = path[0]
    around = path.slice(1, path.indexOf(element))
  }
  // Whoever leaves the panel wants the focus elsewhere. After a removal, it is back by then.
  const onBlur = () => after(0, () => !element.contains(focusedElement() ?? null) && (last = undefined))
  const observer = new MutationObserver(() => {
    const focused = focusedElement()
    if (!last || (last.isConnected && !last.matches(':disabled'))) return
    if (focused && focused !== last && !focused.contains(element)) return
    const root = surfaceRoot()
    const view = root.getElementById('view')
    const found = around
      // A part that is drawn anew elsewhere has the same id.
      .map((place) => (place.isConnected ? place : root.getElementById(place.id)))
      .filter((place) => place && !place.contains(view))
      .map((place) => place!.querySelector<HTMLElement>(lists) ?? place!.querySelector<HTMLElement>(controls))
      .find(Boolean)
    ;(found ?? view)?.focus({ preventScroll: true })
  })
  element.addEventListener('focusin', onFocus)
  element.addEventListener('focusout', onBlur)
  observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    element.removeEventListener('focusin', onFocus)
    element.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}
