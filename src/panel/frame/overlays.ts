import { signal } from '@preact/signals'

/** The open overlay: the palette, the list of keys, or none. */
export const overlay = signal<'palette' | 'keys' | undefined>(undefined)
