import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { monotonicNow } from '../../core/time/clock.ts'
import { Icon, type IconName } from './marks.tsx'
import { attempt } from './toast.tsx'
import { focusedElement } from '../data/surface.ts'

export interface MenuItem {
  readonly title: string
  readonly icon?: IconName
  readonly kind?: 'danger'
  readonly checked?: boolean
  readonly disabled?: boolean
  readonly run: () => unknown
}

interface MenuProps {
  readonly label: string
  readonly children?: ComponentChildren
  readonly items: readonly MenuItem[]
  readonly onOpen?: () => unknown
}

/** The pause after which typing starts a new search, in milliseconds. */
const typingPause = 1_000

const maxWithoutHint = 12

export function Menu({ label, children, items, onOpen }: MenuProps) {
  const isIcon = children === undefined
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const button = () => root.current!.querySelector<HTMLButtonElement>('button')!
  const typed = useRef({ text: '', at: 0 })
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
    const index = all.indexOf(focusedElement() as HTMLButtonElement)
    const next = step === 'first' ? 0 : step === 'last' ? all.length - 1 : (index + step + all.length) % all.length
    all[next]?.focus()
  }
  const find = (key: string) => {
    const now = monotonicNow()
    const { text, at } = typed.current
    typed.current = { text: (now - at < typingPause ? text : '') + key.toLowerCase(), at: now }
    const wanted = typed.current.text
    const titles = lines().map((line) => line.textContent!.trim().toLowerCase())
    const index = titles.findIndex((title) => title.startsWith(wanted))
    lines()[index >= 0 ? index : titles.findIndex((title) => title.includes(wanted))]?.focus()
  }
  const close = () => {
    isOpen.value = false
    button().focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen.peek()) return
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    // A space alone presses the line that has the focus.
    if (isText && (event.key !== ' ' || monotonicNow() - typed.current.at < typingPause)) {
      find(event.key)
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const step = ({ ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' } as const)[event.key]
    if (step !== undefined) move(step)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Tab') isOpen.value = false
    if (step === undefined && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class={`menu menu-${isIcon ? 'end' : 'start'}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={isIcon ? 'icon-button' : 'button button-plain'}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        aria-label={isIcon ? label : undefined}
        title={label}
        onClick={() => {
          isOpen.value = !isOpen.value
          if (isOpen.value) onOpen?.()
        }}
      >
        {children}
        <Icon name={isIcon ? 'more' : 'chevron'} />
      </button>
      {isOpen.value && (
        <div class="menu-list">
          {items.length > maxWithoutHint && <p class="menu-hint muted small">Type to find one</p>}
          <div role="menu" id={id} aria-label={label}>
            {items.map(({ title, icon, kind: danger, checked, disabled, run }) => (
              <button
                type="button"
                key={title}
                role={checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked={checked}
                tabIndex={-1}
                disabled={disabled}
                class={`menu-item line ${danger ? 'red' : ''}`}
                onClick={() => {
                  close()
                  void attempt(async () => run())
                }}
              >
                {checked === false && <span class="icon" />}
                {checked && <Icon name="check" />}
                {icon && <Icon name={icon} />}
                <span>{title}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
