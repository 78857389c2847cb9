import { usePanel } from '../../data/panel.ts'
import type { DueSummary } from '../../data/shapes.ts'

export function Subject({ subject }: Pick<DueSummary, 'subject'>) {
  const { router } = usePanel()
  if (!subject) return null
  const { collection, id } = subject
  const href =
    collection === 'deliveries'
      ? router.href({ view: 'webhooks', rest: ['deliveries', id] })
      : router.href({ view: 'data', rest: [collection, id] })
  return (
    <a href={href} class="mono breaks time-subject">
      {id}
    </a>
  )
}
