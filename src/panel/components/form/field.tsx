import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

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
