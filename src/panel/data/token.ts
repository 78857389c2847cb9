import { signal } from '@preact/signals'
import { keepText } from './kept.ts'

const kept = keepText('greenhouse.token')

export const token = signal(kept.read())

export function keepToken(value: string): void {
  token.value = value
  kept.write(value)
}
