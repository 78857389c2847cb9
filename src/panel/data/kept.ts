import type { RoutePlace } from './route-place.ts'

/** A text that a reload keeps. A browser that stores nothing has it until then. */
export interface KeptText {
  read(): string
  write(text: string): void
}

/** Keeps a text: over a reload of the tab, or in another storage. */
export function keepText(name: string, start = '', storage = () => sessionStorage): KeptText {
  let text = start
  try {
    text = storage().getItem(name) ?? start
  } catch {
    // Storage is off limits here.
  }
  return {
    read: () => text,
    write(given) {
      text = given
      try {
        storage().setItem(name, given)
      } catch {
        // Storage is full or not allowed.
      }
    },
  }
}

/** A route beside the page's own URL, which is not touched. */
export interface KeptPlace extends RoutePlace {
  /** Goes where a link leads. */
  follow(text: string): void
}

/** Keeps a route in the session's storage. */
export function createKeptPlace(name: string, start: string): KeptPlace {
  const kept = keepText(name, start)
  const listeners = new Set<() => void>()
  return {
    read: kept.read,
    write: kept.write,
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(text) {
      kept.write(text)
      for (const listener of listeners) listener()
    },
  }
}
