import { signal } from '@preact/signals'

const isNarrow = signal(false)

export function useNarrow(): boolean {
  return isNarrow.value
}

export function watchWidth(element: HTMLElement): () => void {
  isNarrow.value = element.clientWidth <= 720
  const observer = new ResizeObserver(() => (isNarrow.value = element.clientWidth <= 720))
  observer.observe(element)
  return () => observer.disconnect()
}
