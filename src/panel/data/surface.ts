import type { RoutePlace } from './route-place.ts'

/** What the panel is drawn on: a page of its own, or a drawer in another page. */
export interface Surface {
  /** Where its elements are found. */
  readonly root: Document | ShadowRoot
  /** What it is drawn into; keys are heard in it. */
  readonly element: HTMLElement
  /** What says `data-theme`. */
  readonly themed: HTMLElement
  /** Where the route is kept. */
  readonly place: RoutePlace
  /** Names what is shown, where the title of the page is the panel's. */
  setTitle(title: string): void
  /** Puts the panel away; absent when it is the page. */
  readonly close?: () => void
}

let current: Surface | undefined

/** Makes it the one that is shown: there is one at a time. Returns what ends that. */
export function showSurface(surface: Surface): () => void {
  current = surface
  return () => {
    if (current === surface) current = undefined
  }
}

/** Where the elements of the panel are found. */
export function surfaceRoot(): Document | ShadowRoot {
  return current?.root ?? document
}

/** The element of the panel that has the focus. */
export function focusedElement(): HTMLElement | undefined {
  const { activeElement } = surfaceRoot()
  return activeElement instanceof HTMLElement ? activeElement : undefined
}
