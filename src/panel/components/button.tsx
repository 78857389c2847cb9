import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { attempt } from './toast.tsx'

interface Pressable {
  /** The button is busy until the returned promise settles; a failure appears as a message. */
  readonly onClick?: (event: MouseEvent) => unknown
  readonly disabled?: boolean | undefined
}

export interface ButtonProps extends Pressable {
  readonly pressed?: boolean
  readonly title?: string
  readonly children: ComponentChildren
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  readonly label?: string
}

export function Button({ children, kind = 'plain', icon, type = 'button', label, title, ...rest }: ButtonProps) {
  return (
    <button type={type} class={`button button-${kind}`} aria-label={label} title={title} {...usePress(rest)}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

interface IconButtonProps extends Pressable {
  readonly icon: IconName
  readonly label: string
  readonly kind?: 'plain' | 'danger'
}

export function IconButton({ icon, label, kind = 'plain', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button icon-button-${kind}`}
      aria-label={label}
      title={label}
      {...usePress(rest)}
    >
      <Icon name={icon} />
    </button>
  )
}

function usePress({ onClick, disabled, pressed }: Pressable & Pick<ButtonProps, 'pressed'>) {
  const busy = useSignal(false)
  const press = (event: MouseEvent) => {
    if (busy.peek()) return
    const work = onClick?.(event)
    if (!(work instanceof Promise)) return
    busy.value = true
    void attempt(() => work).finally(() => (busy.value = false))
  }
  return { onClick: press, disabled, 'aria-busy': busy.value || undefined, 'aria-pressed': pressed }
}
