import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** The extra rows above and below the visible ones, so that scrolling shows no gap. */
const spare = 8

const mostAtFirst = 40

/** Returns the range of the visible rows and a few more, from `first` to before `end`. All rows have the same height. */
export function useRowsInSight(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const first = useSignal(0)
  const shown = useSignal(mostAtFirst)
  useLayoutEffect(() => {
    const element = scroller.current!
    const look = () => {
      first.value = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spare)
      shown.value = Math.ceil(element.clientHeight / rowHeight) + 2 * spare
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [rowHeight])
  // A list that became shorter shows its end.
  const from = Math.max(0, Math.min(first.value, count - shown.value))
  return { first: from, end: Math.min(count, from + shown.value) }
}

export function scrollIntoSight(element: HTMLElement, row: number, rowHeight: number): void {
  const top = row * rowHeight
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + rowHeight > element.scrollTop + element.clientHeight)
    element.scrollTop = top + rowHeight - element.clientHeight
}
