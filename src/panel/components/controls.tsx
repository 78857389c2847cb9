import { useSignal, signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef, useLayoutEffect } from 'preact/hooks'
import { after } from '../../core/time/clock.ts'
import { moveFocus } from './lists.tsx'
import { Icon, type IconName } from './marks.tsx'
import { attempt, copyText } from './toast.tsx'

export interface ButtonProps {
  text?: string
  /** The name of a button that is only an icon, or that its text does not say. */
  label?: string
  title?: string
  icon?: IconName
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  type?: 'button' | 'submit'
  pressed?: boolean
  disabled?: boolean
  /** The button is busy until the returned promise settles; a failure appears as a message. */
  onClick?: (event: MouseEvent) => unknown
}

export function Button({
  text,
  label,
  icon,
  kind = 'plain',
  type = 'button',
  onClick,
  ...state
}: ButtonProps) {
  const { title = text === undefined ? label : undefined, pressed, disabled } = state
  const busy = useSignal(false)
  const press = (event: MouseEvent) => {
    if (busy.peek()) return
    const work = onClick?.(event)
    if (!(work instanceof Promise)) return
    busy.value = true
    void attempt(() => work).finally(() => (busy.value = false))
  }
  return (
    <button
      type={type}
      class={text === undefined ? `icon-button icon-button-${kind}` : `button button-${kind}`}
      aria-label={label}
      title={title}
      aria-busy={busy.value || undefined}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {text !== undefined && <span>{text}</span>}
    </button>
  )
}

export type SelectOption =
  | string
  | {
      value: string
      title: string
    }

export type InputIds = Pick<
  JSX.IntrinsicElements['input'],
  'id' | 'name' | 'aria-describedby' | 'aria-invalid' | 'aria-required'
>

interface SelectProps extends InputIds {
  label?: string
  class?: string
  disabled?: boolean
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
}

export function Select({ label, options, onChange, ...given }: SelectProps) {
  const choose = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value)
  return (
    <select class="select" aria-label={label} title={label} {...given} onChange={choose}>
      <Options of={options} />
    </select>
  )
}

export function Options({ of }: { of: readonly SelectOption[] }) {
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

export function toOption(option: SelectOption): {
  value: string
  title: string
} {
  if (typeof option === 'string')
    return {
      value: option,
      title: option,
    }
  return option
}

type SwitchProps = {
  label: string
  on: boolean
  /** Why it can't be switched on. */
  rejected?: string
  onChange: (on: boolean) => Promise<unknown>
}

export function Switch({ label, on, rejected, onChange }: SwitchProps) {
  const press = (event: Event) => {
    // It moves once the world has changed.
    event.preventDefault()
    void attempt(() => onChange(!on))
  }
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      aria-label={label}
      title={rejected}
      disabled={rejected !== undefined && !on}
      checked={on}
      onClick={press}
    />
  )
}

export function CopyCode({ text, what = text }: { text: string; what?: string }) {
  return (
    <span class="pair">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}

export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const isCopied = useSignal(false)
  const copy = async () => {
    await copyText(text)
    isCopied.value = true
    after(1_500, () => (isCopied.value = false))
  }
  const about = `${isCopied.value ? 'Copied' : 'Copy'} ${what}`
  const shown = label !== undefined && { text: isCopied.value ? 'Copied' : label }
  return (
    <Button
      {...shown}
      icon={isCopied.value ? 'check' : 'copy'}
      label={about}
      title={about}
      onClick={copy}
    />
  )
}

export function CodeFrame({ text, what }: { text: string; what: string }) {
  return (
    <div class="code-frame">
      <pre class="code">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}

type MenuItem = {
  title: string
  icon?: IconName
  kind?: 'danger'
  disabled?: boolean
  run: () => unknown
}

export function Menu({
  label,
  children,
  items,
}: {
  label: string
  children?: ComponentChildren
  items: readonly MenuItem[]
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const isIcon = children === undefined
  const first = items.find(({ disabled }) => !disabled)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' || event.key === 'Escape') {
      list.current?.hidePopover()
      // Safari does not focus a button that is clicked. Tab goes on from there.
      opener.current?.focus()
    } else if (event.key !== 'j' && event.key !== 'k') moveFocus(event, 'button:enabled')
    // Escape has done its work: the panel need not close.
    event.stopPropagation()
  }
  return (
    <>
      <button
        type="button"
        class={isIcon ? 'icon-button' : 'button button-plain'}
        popovertarget={id}
        ref={opener}
        aria-haspopup="menu"
        aria-label={isIcon ? label : undefined}
        title={label}
      >
        {children}
        <Icon name={isIcon ? 'more' : 'chevron'} />
      </button>
      <div
        class="menu"
        popover="auto"
        role="menu"
        id={id}
        aria-label={label}
        ref={list}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <MenuButton
            key={item.title}
            {...item}
            isFirst={item === first}
            onPress={() => list.current?.hidePopover()}
          />
        ))}
      </div>
    </>
  )
}

type MenuButtonProps = MenuItem & {
  isFirst: boolean
  onPress: () => void
}

function MenuButton({ title, icon, kind, disabled, run, isFirst, onPress }: MenuButtonProps) {
  const press = () => {
    onPress()
    void attempt(async () => run())
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      autofocus={isFirst}
      disabled={disabled}
      class={`menu-item line ${kind === 'danger' ? 'red' : ''}`}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      <span>{title}</span>
    </button>
  )
}

export const openDialog = signal<'keys' | 'search' | 'world' | undefined>(undefined)

export const closeDialog = () => void (openDialog.value = undefined)

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  actions?: ComponentChildren
  width?: 'narrow' | 'wide'
}

/** A modal dialog. Escape and a click next to it call `onClose`. */
export function Dialog({ title, onClose, children, actions, width = 'narrow' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // Gives the focus back to the element that had it before.
    return () => dialog?.close()
  }, [])
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog
      ref={ref}
      class={`dialog dialog-${width}`}
      closedby="any"
      onCancel={cancel}
      aria-labelledby={id}
    >
      <header class="dialog-head line">
        <h2 id={id}>{title}</h2>
        <Button icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="dialog-foot line">{actions}</footer>}
    </dialog>
  )
}

type Question = {
  title: string
  content: ComponentChildren
  action: string
  isNews: boolean
}

const asked = signal<(Question & { answer: (yes: boolean) => void }) | undefined>(undefined)

/** Asks before something is lost. The first word of the question says what its button does. */
export function confirmed(question: string, text: string): Promise<boolean> {
  const [action = ''] = question.split(' ', 1)
  return ask({
    title: question,
    content: <p>{text}</p>,
    action,
    isNews: false,
  })
}

export async function showKeyOnce(title: string, secret: string) {
  const content = (
    <>
      <p class="below">Copy the key now: it is shown only once.</p>
      <CopyCode text={secret} what="the key" />
    </>
  )
  await ask({
    title,
    content,
    action: 'Done',
    isNews: true,
  })
}

function ask(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      asked.value = undefined
      resolve(yes)
    }
    asked.value = { ...question, answer }
  })
}

export function forgetQuestion() {
  asked.peek()?.answer(false)
}

export function Confirmations() {
  if (!asked.value) return null
  const { title, content, action, isNews, answer } = asked.value
  const cancel = () => answer(false)
  return (
    <Dialog
      title={title}
      onClose={cancel}
      actions={
        <>
          {!isNews && <Button onClick={cancel} text="Cancel" />}
          <Button kind={isNews ? 'primary' : 'danger'} onClick={() => answer(true)} text={action} />
        </>
      }
    >
      {content}
    </Dialog>
  )
}
