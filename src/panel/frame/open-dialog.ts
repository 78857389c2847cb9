import { signal } from '@preact/signals'

/** The open dialog: the palette, the list of keys, or none. */
export const openDialog = signal<'palette' | 'keys' | undefined>(undefined)
