import { useEffect, useRef } from 'preact/hooks'

export interface NavItem {
  readonly id: string
  readonly title: string
  readonly href: string
  /** Behind the title: how many there are, which plan. */
  readonly note?: string
}

export interface NavListProps {
  readonly label: string
  readonly items: readonly NavItem[]
  /** The id of the one that is open. */
  readonly chosen: string | undefined
}

/** Links to places of a view, one of which is open: a column, or a strip that scrolls where the screen is narrow. */
export function NavList({ label, items, chosen }: NavListProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    element.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // The notes come later, and make the strip wider.
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
