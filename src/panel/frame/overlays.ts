import { signal } from '@preact/signals'

/** What lies over the page: the palette, the list of keys, or nothing. */
export const overlay = signal<'palette' | 'keys' | undefined>(undefined)
