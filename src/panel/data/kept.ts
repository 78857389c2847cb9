import { signal } from '@preact/signals'
import { findPage } from '../../core/contract/across-builds.ts'

interface KeptText {
  read(): string
  write(text: string): void
}

/** Keeps a text in a storage: by default, that of the browser tab. */
export function keepText(name: string, start = '', kind: 'session' | 'local' = 'session'): KeptText {
  let text = start
  try {
    text = findPage()?.[`${kind}Storage`].getItem(name) ?? start
  } catch {
    // The page may not use the storage.
  }
  return {
    read: () => text,
    write(given) {
      text = given
      try {
        findPage()?.[`${kind}Storage`].setItem(name, given)
      } catch {
        // The storage is full or not allowed.
      }
    },
  }
}

const kept = keepText('greenhouse.token')

export const token = signal(kept.read())

export function keepToken(value: string): void {
  token.value = value
  kept.write(value)
}
