import type { Signal } from '@preact/signals'
import { Button } from '../button.tsx'
import { FieldRow, type FieldRowProps } from './field.tsx'

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
