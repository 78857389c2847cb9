import { signal } from '@preact/signals'
import { keepText } from './kept.ts'

const kept = keepText('greenhouse.token')

/** The token of `--token`, kept for as long as the tab is open; `''` when there is none. */
export const token = signal(kept.read())

/** Keeps a token. */
export function keepToken(value: string): void {
  token.value = value
  kept.write(value)
}
