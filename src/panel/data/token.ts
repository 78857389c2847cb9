import { signal } from '@preact/signals'
import { keepText } from './kept.ts'

const kept = keepText('greenhouse.token')

/** The token of `--token`, stored until the tab closes; `''` without one. */
export const token = signal(kept.read())

export function keepToken(value: string): void {
  token.value = value
  kept.write(value)
}
