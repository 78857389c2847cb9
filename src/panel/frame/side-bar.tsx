import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { toCountText } from '../components/index.ts'
import { useNarrow } from '../components/narrow.ts'
import { revealIn } from '../components/reveal.ts'
import { usePanel } from '../data/panel.ts'
import { views } from '../views/index.ts'
import { shownView, type Count } from './counts.ts'

export function SideBar({ counts }: { readonly counts: ReadonlySignal<ReadonlyMap<string, Count>> }) {
  const { router } = usePanel()
  const shown = shownView(views, router)
  const list = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  // On a narrow screen, the names form one scrolling line.
  useEffect(() => {
    revealIn(list.current!, list.current!.querySelector('[aria-current]')!)
  }, [shown, isNarrow])
  return (
    <nav class="nav-list side-bar" aria-label="Views" ref={list}>
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <a
              href={router.href({ view: view.id })}
              class="nav-link side-link line"
              aria-current={view === shown ? 'page' : undefined}
            >
              <span>{view.title}</span>
              <Changes count={counts.value.get(view.id)} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Changes({ count }: { readonly count: Count | undefined }) {
  if (!count) return null
  const { changed, hasFailed } = count
  return (
    <span
      class={`muted small ${hasFailed ? 'side-count-failed' : ''}`}
      title={hasFailed ? 'changes since you looked, with failures' : 'changes since you looked'}
    >
      {changed > 999 ? '999+' : toCountText(changed)}
      {hasFailed && '!'}
      <span class="hidden-text">{hasFailed ? ' changes, with failures' : ' changes'}</span>
    </span>
  )
}
