import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { attempt } from './toast.tsx'

interface Pressable {
  /** While what it gives is under way the button is busy; a failure is shown as a message. */
  readonly onClick?: (event: MouseEvent) => unknown
  readonly disabled?: boolean | undefined
  /** For a button that stays down. */
  readonly pressed?: boolean
  readonly title?: string
}

export interface ButtonProps extends Pressable {
  readonly children: ComponentChildren
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  /** A name for screen readers, where the text alone says too little. */
  readonly label?: string
}

export function Button({ children, kind = 'plain', icon, type = 'button', label, ...rest }: ButtonProps) {
  const { busy, press } = useBusy(rest.onClick)
  return (
    <button
      type={type}
      class={`button button-${kind}`}
      onClick={press}
      disabled={rest.disabled}
      aria-busy={busy || undefined}
      aria-pressed={rest.pressed}
      aria-label={label}
      title={rest.title}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

export interface IconButtonProps extends Pressable {
  readonly icon: IconName
  /** Its action, for screen readers and as its title. */
  readonly label: string
  readonly kind?: 'plain' | 'danger'
}

export function IconButton({ icon, label, kind = 'plain', ...rest }: IconButtonProps) {
  const { busy, press } = useBusy(rest.onClick)
  return (
    <button
      type="button"
      class={`icon-button icon-button-${kind}`}
      onClick={press}
      disabled={rest.disabled}
      aria-busy={busy || undefined}
      aria-pressed={rest.pressed}
      aria-label={label}
      title={rest.title ?? label}
    >
      <Icon name={icon} />
    </button>
  )
}

/** A second press while the first is under way does nothing. */
function useBusy(onClick: Pressable['onClick']) {
  const busy = useSignal(false)
  const press = (event: MouseEvent) => {
    if (busy.peek()) return
    const work = onClick?.(event)
    if (!(work instanceof Promise)) return
    busy.value = true
    void attempt(() => work).finally(() => (busy.value = false))
  }
  return { busy: busy.value, press }
}
