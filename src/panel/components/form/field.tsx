import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { toMessage } from '../../data/failure.ts'
import { Button } from '../button.tsx'
import { Options, type SelectOption } from '../select.tsx'

export interface InputIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

export interface FieldRowProps {
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
        <p class="field-error small" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
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
            <Button type="submit">{action}</Button>
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
