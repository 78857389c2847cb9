import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 720px)')
const isNarrow = signal(query.matches)
query.addEventListener('change', () => (isNarrow.value = query.matches))

/** Whether the screen is narrow, as the style sheets have it. */
export function useNarrow(): boolean {
  return isNarrow.value
}
