import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { usePanel } from '../data/panel.ts'
import type { RouteChange } from '../data/router.ts'

export interface NavItem {
  readonly id: string
  readonly title: string
  readonly href: string
  readonly note?: string
}

interface NavListProps {
  readonly label: string
  readonly items: readonly NavItem[]
  readonly chosen: string | undefined
}

export function NavList({ label, items, chosen }: NavListProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    element.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // The notes load later, and make the line wider.
  }, [chosen, items.map(({ note }) => note).join()])
  return (
    <nav class="nav-list" aria-label={label} ref={element}>
      <ul>
        {items.map(({ id, title, href, note }) => (
          <li key={id}>
            <a href={href} class="nav-link line" aria-current={id === chosen ? 'page' : undefined}>
              <span class="clip">{title}</span>
              {note !== undefined && <span class="muted small">{note}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface LinkProps extends Pick<JSX.IntrinsicElements['a'], 'class' | 'title' | 'aria-label' | 'children'> {
  readonly to: RouteChange
}

export function Link({ to, ...attributes }: LinkProps) {
  return <a href={usePanel().router.href(to)} {...attributes} />
}
