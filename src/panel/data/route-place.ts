/** The storage of a route's text: `#/traffic?world=checkout`. */
export interface RoutePlace {
  read(): string
  /** @param replace replaces the entry in the history. */
  write(text: string, replace: boolean): void
  /** Calls `listener` after a change by others. Returns a function that ends it. */
  watch(listener: () => void): () => void
}

/** The hash of the page's URL. */
export function createHashPlace(): RoutePlace {
  return {
    read: () => location.hash,
    write(text, replace) {
      if (replace) history.replaceState(null, '', text)
      else history.pushState(null, '', text)
    },
    watch(listener) {
      addEventListener('hashchange', listener)
      return () => removeEventListener('hashchange', listener)
    },
  }
}
