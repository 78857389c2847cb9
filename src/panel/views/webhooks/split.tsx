import type { ComponentChildren } from 'preact'
import { usePanel } from '../../data/panel.ts'

/** How many of each list are shown, the newest first; the filters find the others. */
export const maxRows = 200

interface SplitProps {
  count: number | undefined
  detail: ComponentChildren
  children: ComponentChildren
}

/** A list with the item that is open next to it. */
export function Split({ count, detail, children }: SplitProps) {
  return (
    <div class="split">
      <div class="split-list">
        {children}
        {count === maxRows && <p>The newest {maxRows}.</p>}
      </div>
      {detail}
    </div>
  )
}

type OpenedRow = { id: string }

/** Returns which item of a list is open, and how its table opens and closes items. */
export function useOpened(list: string) {
  const { router } = usePanel()
  const [, opened] = router.route.value.rest
  return {
    id: opened,
    close: () => router.go({ rest: [list] }, true),
    opened,
    keyOf: ({ id }: OpenedRow) => id,
    onOpen: ({ id }: OpenedRow) => router.go({ rest: [list, id] }, opened !== undefined),
  }
}
