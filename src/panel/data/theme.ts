import { effect, signal } from '@preact/signals'

/** The theme: the system's, light or dark. */
export type Theme = 'system' | 'light' | 'dark'

const name = 'greenhouse.theme'

/** The theme that was chosen; kept in this browser. */
export const theme = signal<Theme>(read())

/** The next one: system, light, dark. */
export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system'
}

/** Shows the theme from now on, and keeps it. Returns what ends it. */
export function showTheme(root: HTMLElement): () => void {
  return effect(() => {
    const chosen = theme.value
    if (chosen === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = chosen
    try {
      if (chosen === 'system') localStorage.removeItem(name)
      else localStorage.setItem(name, chosen)
    } catch {
      // A browser that keeps nothing shows the system's theme after a reload.
    }
  })
}

function read(): Theme {
  try {
    const kept = localStorage.getItem(name)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}
