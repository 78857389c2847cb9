import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button, type ButtonProps, DataList, type SelectOption } from '../controls.tsx'
import { Dialog, type DialogProps } from '../dialog.tsx'
import { useSubmit } from '../../data/form.ts'
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
        {!isRequired && <span class="muted"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': isRequired || undefined,
      })}
      {hint && (
        <p class="muted small" id={`${id}-hint`}>
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

export interface TextFieldProps extends Omit<FieldRowProps, 'children'> {
  readonly of: Signal<string>
  readonly rows?: number
  readonly kind?: 'mono' | 'input-code'
  readonly isSecret?: boolean
  readonly autofocus?: boolean
  readonly inputMode?: 'numeric'
  readonly placeholder?: string
  readonly suggested?: readonly SelectOption[]
  readonly onChange?: () => void
  /** The text of a button next to it that submits the form. */
  readonly action?: string
}

export function TextField(props: TextFieldProps) {
  const { title, hint, error, isRequired, of, rows, kind = '', action, isSecret, suggested, ...input } = props
  const typed = {
    class: `input ${kind}`,
    autocomplete: 'off',
    spellcheck: false,
    value: of.value,
    onInput: (event: { currentTarget: { value: string } }) => (of.value = event.currentTarget.value),
  } as const
  return (
    <FieldRow {...{ title, hint, error, isRequired }}>
      {(ids) =>
        rows ? (
          <textarea {...ids} {...typed} rows={rows} />
        ) : (
          <div class="line">
            {isSecret ? (
              <input {...ids} {...typed} {...input} type="password" />
            ) : (
              <input {...ids} {...typed} {...input} list={suggested && `${ids.id}-suggested`} />
            )}
            <DataList id={`${ids.id}-suggested`} of={suggested} />
            {action && <Button type="submit" text={action} />}
          </div>
        )
      }
    </FieldRow>
  )
}

interface DialogFormProps extends Pick<DialogProps, 'title' | 'width' | 'onClose' | 'children'> {
  readonly action: string
  readonly icon?: ButtonProps['icon']
  readonly disabled?: boolean
  readonly onSubmit: () => Promise<void>
  readonly forget: () => void
}

export function DialogForm(props: DialogFormProps) {
  const { action, icon, disabled = false, onSubmit, forget, children, ...dialog } = props
  const { failure, isBusy, submit } = useSubmit(onSubmit)
  const cancel = () => {
    forget()
    dialog.onClose()
  }
  return (
    <Dialog {...dialog}>
      <form class="form" noValidate onSubmit={submit}>
        <FormFailure of={failure.value} />
        {children}
        <div class="row">
          <span class="spacer" />
          <Button onClick={cancel} text="Cancel" />
          <Button kind="primary" type="submit" icon={icon} disabled={disabled || isBusy.value} text={action} />
        </div>
      </form>
    </Dialog>
  )
}

export function FormFailure({ of }: { readonly of: unknown }) {
  return of === '' ? null : (
    <p class="callout callout-bad" role="alert">
      {toMessage(of)}
    </p>
  )
}
