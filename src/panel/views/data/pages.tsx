import { Button, toCountText, toPlural } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'

interface PagesProps {
  readonly page: number
  readonly size: number
  readonly total: number
}

export function Pages({ page, size, total }: PagesProps) {
  const { router } = usePanel()
  const last = Math.max(1, Math.ceil(total / size))
  const first = (page - 1) * size + 1
  const go = (to: number) => router.go({ params: { page: to === 1 ? undefined : String(to) } }, true)
  return (
    <footer class="data-pages row">
      <span class="muted" role="status">
        {last === 1 && page === 1
          ? toPlural(total, 'record')
          : `${toCountText(Math.min(first, total))}–${toCountText(Math.min(total, page * size))} of ${toPlural(total, 'record')}`}
      </span>
      {(last > 1 || page > 1) && (
        <>
          <span class="spacer" />
          <Button disabled={page <= 1} onClick={() => go(Math.min(page - 1, last))}>
            Previous
          </Button>
          <span class="muted">{`${toCountText(page)} of ${toCountText(last)}`}</span>
          <Button disabled={page >= last} onClick={() => go(page + 1)}>
            Next
          </Button>
        </>
      )}
    </footer>
  )
}
