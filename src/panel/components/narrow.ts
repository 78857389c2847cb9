import { signal } from '@preact/signals'

const isNarrow = signal(false)

/** Whether the panel is narrow, by the style sheets' rule. */
export function useNarrow(): boolean {
  return isNarrow.value
}

/** Measures what the panel is drawn into from now on. Returns what ends it. */
export function watchWidth(element: HTMLElement): () => void {
  isNarrow.value = element.clientWidth <= 720
  const observer = new ResizeObserver(() => (isNarrow.value = element.clientWidth <= 720))
  observer.observe(element)
  return () => observer.disconnect()
}
