import { signal } from '@preact/signals'

const isNarrow = signal(false)

/** Whether the panel is at most as wide as the style sheets' limit for narrow screens. */
export function useNarrow(): boolean {
  return isNarrow.value
}

/** Follows the width of the panel's element. Returns a function that ends it. */
export function watchWidth(element: HTMLElement): () => void {
  isNarrow.value = element.clientWidth <= 720
  const observer = new ResizeObserver(() => (isNarrow.value = element.clientWidth <= 720))
  observer.observe(element)
  return () => observer.disconnect()
}
