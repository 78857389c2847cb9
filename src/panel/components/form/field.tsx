import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button, type ButtonProps, Options, type SelectOption } from '../controls.tsx'
import { Dialog, type DialogProps } from '../dialog.tsx'
import { type FormDraft, useFailure, useSubmit } from '../../data/form.ts'
import { toMessage } from '../../data/control.ts'

export interface InputIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

interface FieldRowProps {
  readonly title: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly children: (ids: InputIds) => ComponentChildren
}

export function FieldRow({ title, hint, error, isRequired = false, children }: FieldRowProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class={`field ${error ? 'field-wrong' : ''}`}>
      <label for={id} class="field-title">
        {title}
        {!isRequired && <span class="field-optional muted"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error ? true : undefined,
        'aria-required': isRequired || undefined,
      })}
      {hint && (
        <p class="field-hint muted small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error red small" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface CheckboxFieldProps extends Pick<FieldRowProps, 'title' | 'hint' | 'error'> {
  readonly kind: string
  readonly values: readonly string[]
  readonly chosen: readonly string[]
  /** Gets the chosen values, in the order of `values`. */
  readonly onChange: (chosen: readonly string[]) => void
  readonly children?: ComponentChildren
}

export function CheckboxField({ title, hint, error, kind, values, chosen, onChange, children }: CheckboxFieldProps) {
  const toggle = (value: string) =>
    onChange(values.filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <fieldset class="field">
      <legend class="field-title">{title}</legend>
      {hint && <p class="field-hint muted small">{hint}</p>}
      <div class={kind}>
        {values.map((value) => (
          <label key={value} class="choice line">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {value}
          </label>
        ))}
      </div>
      {error && <p class="field-error red small">{error}</p>}
      {children}
    </fieldset>
  )
}

export function FormFailure({ of }: { readonly of: ReadonlySignal<unknown> }) {
  return of.value === '' ? null : (
    <p class="callout callout-bad" role="alert">
      {toMessage(of.value)}
    </p>
  )
}

export interface TextFieldProps extends Omit<FieldRowProps, 'children'> {
  readonly of: Signal<string>
  readonly rows?: number
  readonly kind?: 'mono' | 'input-code'
  readonly isSecret?: boolean
  readonly autofocus?: boolean
  readonly inputMode?: 'numeric'
  readonly placeholder?: string
  readonly action?: string
}

export function TextField({
  title,
  hint,
  error,
  isRequired,
  of,
  rows,
  kind,
  action,
  isSecret,
  ...input
}: TextFieldProps) {
  const typed = {
    class: kind ? `input ${kind}` : 'input',
    autocomplete: 'off',
    spellcheck: false,
    value: of.value,
    onInput: (event: { currentTarget: { value: string } }) => (of.value = event.currentTarget.value),
  } as const
  return (
    <FieldRow title={title} hint={hint} error={error} isRequired={isRequired}>
      {(ids) => {
        if (rows) return <textarea {...ids} {...typed} rows={rows} />
        const whole = { ...ids, ...typed, ...input }
        const line = isSecret ? <input {...whole} type="password" /> : <input {...whole} />
        if (!action) return line
        return (
          <div class="row input-row">
            {line}
            <Button type="submit" text={action} />
          </div>
        )
      }}
    </FieldRow>
  )
}

interface SelectFieldProps extends Omit<FieldRowProps, 'children'> {
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChoose: (value: string) => void
}

export function SelectField({ value, options, onChoose, ...row }: SelectFieldProps) {
  return (
    <FieldRow {...row}>
      {(ids) => (
        <select {...ids} class="input" value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          <Options of={options} />
        </select>
      )}
    </FieldRow>
  )
}

interface DialogFormProps extends Pick<DialogProps, 'title' | 'width' | 'onClose' | 'children'> {
  readonly action: string
  readonly icon?: ButtonProps['icon']
  readonly disabled?: boolean
  readonly onSubmit: () => Promise<void>
  readonly draft: FormDraft
  readonly failure?: Signal<unknown>
  readonly foot?: ComponentChildren
}

export function DialogForm(props: DialogFormProps) {
  const { action, icon, disabled = false, onSubmit, draft, foot, children, ...dialog } = props
  const own = useFailure()
  const failure = props.failure ?? own
  const { isBusy, submit } = useSubmit(failure, onSubmit)
  const cancel = () => {
    draft.forget()
    dialog.onClose()
  }
  return (
    <Dialog {...dialog}>
      <form class="form" noValidate onSubmit={submit}>
        <FormFailure of={failure} />
        {children}
        <div class="row">
          {foot}
          <span class="spacer" />
          <Button onClick={cancel} text="Cancel" />
          <Button kind="primary" type="submit" icon={icon} disabled={disabled || isBusy.value} text={action} />
        </div>
      </form>
    </Dialog>
  )
}
