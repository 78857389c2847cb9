import { useSignal } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import { copyText } from './files.ts'
import { Icon, type IconName } from './marks.tsx'
import { attempt } from './toast.tsx'

interface Pressable {
  /** The button is busy until the returned promise settles; a failure appears as a message. */
  readonly onClick?: (event: MouseEvent) => unknown
  readonly disabled?: boolean | undefined
}

export interface ButtonProps extends Pressable {
  readonly pressed?: boolean
  readonly title?: string | undefined
  readonly text: string
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  readonly label?: string
}

export function Button({ text, kind = 'plain', icon, type = 'button', label, title, ...rest }: ButtonProps) {
  return (
    <button type={type} class={`button button-${kind}`} aria-label={label} title={title} {...usePress(rest)}>
      {icon && <Icon name={icon} />}
      <span>{text}</span>
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

export type SelectOption = string | { readonly value: string; readonly title: string }

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
}

export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options of={options} />
    </select>
  )
}

export function Options({ of }: { readonly of: readonly SelectOption[] }) {
  return (
    <>
      {of.map(toOption).map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </>
  )
}

export function toOption(option: SelectOption): { readonly value: string; readonly title: string } {
  return typeof option === 'string' ? { value: option, title: option } : option
}

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly showLabel?: boolean
}

export function Switch({ label, on, onChange, showLabel = true }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      onClick={() => onChange(!on)}
    >
      <span class="switch-track" />
      {showLabel && <span>{label}</span>}
    </button>
  )
}

export function CopyCode({ text, what = text }: { readonly text: string; readonly what?: string }) {
  return (
    <span class="pair">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}

/** Copies `text`. It is an icon, or a button with `label`. */
export function CopyButton({ text, what, label }: { text: string | (() => string); what: string; label?: string }) {
  const isCopied = useSignal(false)
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text())
    isCopied.value = true
    after(1_500, () => (isCopied.value = false))
  }
  const about = isCopied.value ? `Copied ${what}` : `Copy ${what}`
  return (
    <button
      type="button"
      class={label === undefined ? 'icon-button' : 'button button-plain'}
      aria-label={about}
      title={about}
      onClick={() => void attempt(copy)}
    >
      <Icon name={isCopied.value ? 'check' : 'copy'} />
      {label !== undefined && <span>{isCopied.value ? 'Copied' : label}</span>}
    </button>
  )
}

export function CodeFrame({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code-frame">
      <pre class="code">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
