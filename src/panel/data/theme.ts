import { effect, signal } from '@preact/signals'
import { keepText } from './kept.ts'

export type Theme = 'system' | 'light' | 'dark'

const kept = keepText('greenhouse.theme', 'system', 'local')

export const theme = signal<Theme>((['light', 'dark'] as const).find((name) => name === kept.read()) ?? 'system')

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system'
}

export function showTheme(root: HTMLElement): () => void {
  return effect(() => {
    const chosen = theme.value
    if (chosen === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = chosen
    kept.write(chosen)
  })
}
