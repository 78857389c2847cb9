import { effect, signal } from '@preact/signals'
import { keepText } from './kept.ts'
import type { RouteStore } from './router.ts'

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

type Theme = 'system' | 'light' | 'dark'

const kept = keepText('greenhouse.theme', 'system', 'local')

export const theme = signal<Theme>((['light', 'dark'] as const).find((name) => name === kept.read()) ?? 'system')

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system'
}

export function showTheme(root: HTMLElement): () => void {
  return effect(() => {
    root.style.colorScheme = theme.value === 'system' ? '' : theme.value
    kept.write(theme.value)
  })
}
