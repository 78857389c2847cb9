import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { moveFocus } from './lists.tsx'
import { Icon, type IconName } from './marks.tsx'
import { attempt } from './toast.tsx'

export interface MenuItem {
  readonly title: string
  readonly icon?: IconName
  readonly kind?: 'danger'
  readonly disabled?: boolean
  readonly run: () => unknown
}

interface MenuProps {
  readonly label: string
  /** What the button shows; by default, three dots. */
  readonly children?: ComponentChildren
  readonly items: readonly MenuItem[]
}

export function Menu({ label, children, items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isIcon = children === undefined
  const onToggle = ({ newState }: { readonly newState: string }) => {
    button.current!.ariaExpanded = String(newState === 'open')
    if (newState !== 'open') return
    const { left, right, bottom } = button.current!.getBoundingClientRect()
    const { offsetWidth, style } = list.current!
    style.top = `${bottom + 4}px`
    // To the left, if it would be cut on the right.
    style.left = `${Math.max(0, left + offsetWidth > innerWidth ? right - offsetWidth : left)}px`
    list.current!.querySelector<HTMLElement>('button:enabled')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' || event.key === 'Escape') {
      list.current!.hidePopover()
      // Escape has done its work: the panel need not close.
      if (event.key === 'Escape') event.preventDefault()
      button.current!.focus()
    } else if (event.key !== 'j' && event.key !== 'k') moveFocus(event, 'button:enabled')
    event.stopPropagation()
  }
  return (
    <>
      <button
        type="button"
        class={isIcon ? 'icon-button' : 'button button-plain'}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-label={isIcon ? label : undefined}
        title={label}
        ref={button}
      >
        {children}
        <Icon name={isIcon ? 'more' : 'chevron'} />
      </button>
      <div class="menu" popover="auto" role="menu" id={id} aria-label={label} ref={list} {...{ onToggle, onKeyDown }}>
        {items.map(({ title, icon, kind, disabled, run }) => (
          <button
            type="button"
            key={title}
            role="menuitem"
            tabIndex={-1}
            disabled={disabled}
            class={`menu-item line ${kind === 'danger' ? 'red' : ''}`}
            onClick={() => {
              list.current!.hidePopover()
              void attempt(async () => run())
            }}
          >
            {icon && <Icon name={icon} />}
            <span>{title}</span>
          </button>
        ))}
      </div>
    </>
  )
}
