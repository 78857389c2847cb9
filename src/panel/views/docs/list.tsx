import { usePanel } from '../../data/panel.ts'
import { MethodLabel, Path } from './method.tsx'
import type { DocsOperation } from './operations.ts'

export interface ListProps {
  readonly groups: readonly { readonly tag: string; readonly list: readonly DocsOperation[] }[]
  readonly opened: string | undefined
}

/** The operations, grouped by tag. `j`, `k` and the arrow keys move between them. */
export function OperationList({ groups, opened }: ListProps) {
  const { router } = usePanel()
  const all = groups.flatMap(({ list }) => list)
  const reachable = all.some(({ id }) => id === opened) ? opened : all[0]?.id
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const links = [...(event.currentTarget as HTMLElement).querySelectorAll('a')]
    const place = links.indexOf(event.target as HTMLAnchorElement)
    const step = ({ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 } as Record<string, number>)[event.key]
    if (step === undefined || place < 0) return
    event.preventDefault()
    event.stopPropagation()
    links[Math.min(links.length - 1, Math.max(0, place + step))]!.focus()
  }
  return (
    <nav aria-label="Operations" class="docs-list" onKeyDown={onKeyDown}>
      {groups.map(({ tag, list }) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul>
            {list.map(({ id, method, path, operation }) => (
              <li key={id}>
                <a
                  href={router.href({ rest: [id] })}
                  class="docs-link"
                  aria-current={id === opened ? 'page' : undefined}
                  data-row
                  tabIndex={id === reachable ? 0 : -1}
                  title={id}
                >
                  <MethodLabel method={method} /> <Path path={path} />{' '}
                  <span class="docs-summary muted">{operation.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
