export interface RouteStore {
  read(): string
  write(text: string, replace: boolean): void
  watch(listener: () => void): () => void
}

export function createHashRoute(): RouteStore {
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
