import type { RouteStore } from './route-store.ts'

/** The panel's place: its own page, or a drawer in another page. */
export interface Surface {
  readonly root: Document | ShadowRoot
  readonly element: HTMLElement
  readonly themed: HTMLElement
  readonly route: RouteStore
  setTitle(title: string): void
  readonly close?: () => void
}

let current: Surface | undefined

export function showSurface(surface: Surface): () => void {
  current = surface
  return () => {
    if (current === surface) current = undefined
  }
}

export function surfaceRoot(): Document | ShadowRoot {
  return current?.root ?? document
}

export function focusedElement(): HTMLElement | undefined {
  const { activeElement } = surfaceRoot()
  return activeElement instanceof HTMLElement ? activeElement : undefined
}
