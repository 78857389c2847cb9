import type { RoutePlace } from './route-place.ts'

/** The panel's place: its own page, or a drawer in another page. */
export interface Surface {
  /** The root of its elements. */
  readonly root: Document | ShadowRoot
  /** The element that it is drawn into; its keys work there. */
  readonly element: HTMLElement
  /** The element with `data-theme`. */
  readonly themed: HTMLElement
  readonly place: RoutePlace
  /** Sets the title of the page, if the page is the panel's own. */
  setTitle(title: string): void
  /** Closes the panel; absent for its own page. */
  readonly close?: () => void
}

let current: Surface | undefined

/** Shows a surface; only one is shown at a time. Returns a function that ends it. */
export function showSurface(surface: Surface): () => void {
  current = surface
  return () => {
    if (current === surface) current = undefined
  }
}

export function surfaceRoot(): Document | ShadowRoot {
  return current?.root ?? document
}

/** Returns the element of the panel that has the focus. */
export function focusedElement(): HTMLElement | undefined {
  const { activeElement } = surfaceRoot()
  return activeElement instanceof HTMLElement ? activeElement : undefined
}
