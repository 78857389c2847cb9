import { signal } from '@preact/signals'

const name = 'greenhouse.token'

/** The token of `--token`, kept for as long as the tab is open; `''` when there is none. */
export const token = signal(read())

/** Keeps a token. */
export function keepToken(value: string): void {
  token.value = value
  try {
    sessionStorage.setItem(name, value)
  } catch {
    // A browser that keeps nothing asks again after a reload.
  }
}

function read(): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
