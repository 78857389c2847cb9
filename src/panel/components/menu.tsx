import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { focusedElement } from '../data/surface.ts'
import { Icon, type IconName } from './icon.tsx'
import { attempt } from './toast.tsx'

/** One line of a menu. */
export interface MenuItem {
  readonly title: string
  readonly icon?: IconName
  readonly kind?: 'danger'
  readonly checked?: boolean
  readonly disabled?: boolean
  readonly run: () => unknown
}

export interface MenuProps {
  /** What the button opens: the name of an icon, and the title of a text. */
  readonly label: string
  readonly children: ComponentChildren
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
  readonly kind?: 'plain' | 'quiet' | 'icon'
  /** Is told as it opens. */
  readonly onOpen?: () => unknown
}

/** A button that opens a list of things to do. Arrow keys move in it, Escape closes it. */
export function Menu({ label, children, items, align = 'start', kind = 'plain', onOpen }: MenuProps) {
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const button = () => root.current!.querySelector<HTMLButtonElement>('button')!
  const lines = () => [...root.current!.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:not(:disabled)')]

  useEffect(() => {
    if (!isOpen.value) return
    lines()[0]?.focus()
    const outside = (event: Event) => event.composedPath().includes(root.current!) || (isOpen.value = false)
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isOpen.value])

  const move = (step: number | 'first' | 'last') => {
    const all = lines()
    const place = all.indexOf(focusedElement() as HTMLButtonElement)
    const next = step === 'first' ? 0 : step === 'last' ? all.length - 1 : (place + step + all.length) % all.length
    all[next]?.focus()
  }
  const close = () => {
    isOpen.value = false
    button().focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen.peek()) return
    const step = ({ ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' } as const)[event.key]
    if (step !== undefined) move(step)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Tab') isOpen.value = false
    if (step === undefined && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class={`menu menu-${align}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={kind === 'icon' ? 'icon-button' : `button button-${kind}`}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        aria-label={kind === 'icon' ? label : undefined}
        title={label}
        onClick={() => {
          isOpen.value = !isOpen.value
          if (isOpen.value) onOpen?.()
        }}
      >
        {children}
        {kind !== 'icon' && <Icon name="chevron" />}
      </button>
      {isOpen.value && (
        <div class="menu-list" role="menu" id={id} aria-label={label}>
          {items.map(({ title, icon, kind: danger, checked, disabled, run }) => (
            <button
              type="button"
              key={title}
              role={checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={checked}
              tabIndex={-1}
              disabled={disabled}
              class={`menu-item ${danger ? 'menu-item-danger' : ''}`}
              onClick={() => {
                close()
                void attempt(async () => run())
              }}
            >
              {checked !== undefined ? (
                checked ? (
                  <Icon name="check" />
                ) : (
                  <span class="icon" />
                )
              ) : (
                icon && <Icon name={icon} />
              )}
              <span>{title}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
