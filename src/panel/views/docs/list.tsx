import { moveFocus } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { MethodLabel, Path } from './method.tsx'
import type { DocsOperation } from './operations.ts'

interface ListProps {
  readonly groups: readonly { readonly tag: string; readonly list: readonly DocsOperation[] }[]
  readonly opened: string | undefined
}

export function OperationList({ groups, opened }: ListProps) {
  const { router } = usePanel()
  const all = groups.flatMap(({ list }) => list)
  const reachable = all.some(({ id }) => id === opened) ? opened : all[0]?.id
  return (
    <nav aria-label="Operations" class="docs-list" onKeyDown={(event) => moveFocus(event, 'li', 'a')}>
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
