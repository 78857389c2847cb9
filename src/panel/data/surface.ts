import { computed, effect, signal } from '@preact/signals'
import type { RouteStore } from './router.ts'
import { findPage } from '../../core/contract/platform.ts'

export interface Surface {
  root: Document | ShadowRoot
  element: HTMLElement
  themed: HTMLElement
  route: RouteStore
  setTitle(title: string): void
  close?: () => void
}

let current: Surface | undefined

export function showSurface(surface: Surface): () => void {
  current = surface
  return () => void (current = undefined)
}

export function surfaceRoot(): Document | ShadowRoot {
  return current?.root ?? document
}

export function focusedElement(): HTMLElement | undefined {
  const { activeElement } = surfaceRoot()
  if (activeElement instanceof HTMLElement) return activeElement
  return undefined
}

export const themes = ['system', 'light', 'dark'] as const

const keptTheme = keepText('greenhouse.theme', 'system', 'local')

export const theme = signal(themes.find((name) => name === keptTheme.read()) ?? 'system')

export const nextTheme = computed(() => themes[themes.indexOf(theme.value) + 1] ?? 'system')

export function showTheme(root: HTMLElement): () => void {
  return effect(() => {
    root.style.colorScheme = theme.value === 'system' ? '' : theme.value
    keptTheme.write(theme.value)
  })
}

export function keepText(name: string, start = '', kind: 'session' | 'local' = 'session') {
  let text = start
  try {
    text = findPage()?.[`${kind}Storage`].getItem(name) ?? start
  } catch {
    // The page may not use the storage.
  }
  return {
    read: () => text,
    write(given: string) {
      text = given
      try {
        findPage()?.[`${kind}Storage`].setItem(name, given)
      } catch {
        // The storage is full or not allowed.
      }
    },
  }
}

const keptToken = keepText('greenhouse.token')

export const token = signal(keptToken.read())

export function keepToken(value: string) {
  token.value = value
  keptToken.write(value)
}
