import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** How many rows are drawn beyond those in sight, on either side. */
const beyond = 8

/** Which rows a list draws: from the first to before the last. */
export interface RowsInSight {
  readonly first: number
  readonly end: number
  /** Scrolls as little as it takes to have a row in sight. */
  scrollTo(place: number): void
}

/** Follows what is in sight of a list whose rows are all as high. @param rowHeight in pixels. */
export function useRowsInSight(
  scroller: { readonly current: HTMLElement | null },
  count: number,
  rowHeight: number,
): RowsInSight {
  const top = useSignal(0)
  const height = useSignal(0)
  useLayoutEffect(() => {
    const element = scroller.current!
    const measure = () => {
      // A row at a time: within one there is nothing to draw anew.
      top.value = Math.floor(element.scrollTop / rowHeight)
      height.value = Math.ceil(element.clientHeight / rowHeight)
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [rowHeight])
  return {
    first: Math.max(0, Math.min(top.value, count) - beyond),
    end: Math.min(count, top.value + height.value + 1 + beyond),
    scrollTo(place) {
      const element = scroller.current!
      const start = place * rowHeight
      if (start < element.scrollTop) element.scrollTop = start
      else if (start + rowHeight > element.scrollTop + element.clientHeight)
        element.scrollTop = start + rowHeight - element.clientHeight
    },
  }
}
