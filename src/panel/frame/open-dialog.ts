import { signal } from '@preact/signals'

export const openDialog = signal<'palette' | 'keys' | undefined>(undefined)
