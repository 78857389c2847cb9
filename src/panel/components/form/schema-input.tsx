import { Options } from '../select.tsx'
import { FieldRow, type InputIds } from './field.tsx'
import type { FormField } from './kind.ts'

interface SchemaInputProps {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly disabled?: boolean
  readonly onChange: (text: string) => void
}

export function SchemaInput({ field, text, error, disabled = false, onChange }: SchemaInputProps) {
  const { title, hint, isRequired } = field
  if (field.kind === 'choices')
    return <Choices field={field} values={field.values} text={text} error={error} onChange={onChange} />
  return (
    <FieldRow title={title} hint={hint ?? hints[field.kind]} error={error} isRequired={isRequired}>
      {(ids) => <Input field={field} ids={ids} text={text} disabled={disabled} onChange={onChange} />}
    </FieldRow>
  )
}

const hints: Partial<Record<FormField['kind'], string>> = {
  time: 'ISO 8601: 2026-01-31T12:00:00Z',
  'stored-time': 'ISO 8601: 2026-01-31T12:00:00Z',
  texts: 'One per line.',
  json: 'JSON.',
}

interface InputProps extends Omit<SchemaInputProps, 'error'> {
  readonly ids: InputIds
}

function Input({ field, ids, text, disabled, onChange }: InputProps) {
  const shared = {
    ...ids,
    disabled,
    value: text,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  }
  switch (field.kind) {
    case 'choice':
    case 'boolean': {
      const values = 'values' in field ? field.values : [true, false]
      const mayBeEmpty = !field.isRequired || field.isNullable || text === ''
      return (
        <select class="input" {...shared}>
          {mayBeEmpty && <option value="">{field.isNullable ? 'null' : 'not set'}</option>}
          <Options of={values.map(String)} />
        </select>
      )
    }
    case 'json':
    case 'texts':
    case 'long-text':
      return (
        <textarea
          class={`input ${field.kind === 'json' ? 'input-code' : ''}`}
          rows={Math.min(12, Math.max(3, text.split('\n').length))}
          spellcheck={field.kind === 'long-text'}
          {...shared}
        />
      )
    default:
      return (
        <input
          class="input"
          type="text"
          inputMode={field.kind === 'integer' ? 'numeric' : field.kind === 'number' ? 'decimal' : undefined}
          autocomplete="off"
          spellcheck={false}
          {...shared}
        />
      )
  }
}

interface ChoicesProps extends Omit<SchemaInputProps, 'disabled'> {
  readonly values: readonly unknown[]
}

function Choices({ field: { title, hint }, values, text, error, onChange }: ChoicesProps) {
  const chosen = text.split('\n').filter(Boolean)
  const toggle = (value: string) =>
    onChange((chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]).join('\n'))
  return (
    <fieldset class="field">
      <legend class="field-title">{title}</legend>
      {hint && <p class="field-hint muted small">{hint}</p>}
      <div class="choices row">
        {values.map(String).map((value) => (
          <label key={value} class="choice line">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {value}
          </label>
        ))}
      </div>
      {error && <p class="field-error small">{error}</p>}
    </fieldset>
  )
}
