import { useEffect, useRef } from 'preact/hooks'

export interface NavItem {
  readonly id: string
  readonly title: string
  readonly href: string
  /** Shown behind the title: a number of records, a plan. */
  readonly note?: string
}

interface NavListProps {
  readonly label: string
  readonly items: readonly NavItem[]
  /** The id of the open item. */
  readonly chosen: string | undefined
}

/** Links to the parts of a view, one of which is open: a column, or a line that scrolls on narrow screens. */
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
