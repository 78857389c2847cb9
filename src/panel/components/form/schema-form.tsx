import { batch, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { CallError } from '../../../control/client/errors.ts'
import { useDraft, useSubmit } from '../../data/form.ts'
import { pretty } from '../../data/json.ts'
import type { JsonSchema, RecordValue } from '../../data/shapes.ts'
import { Button, DataList, Options } from '../controls.tsx'
import { fitTo, type FormField, type FormTexts, fromDraft, parseTypedJson, toDraft, toFields } from './draft.ts'
import { FieldRow, FormFailure, type InputIds, TextField } from './field.tsx'

export interface FilledForm {
  readonly value: RecordValue
  readonly base: RecordValue
  readonly texts: FormTexts
  readonly isJson: boolean
  readonly json: string
}

interface SchemaFormProps {
  readonly name: string
  readonly schema: JsonSchema
  readonly value: RecordValue
  readonly action: string
  /** A CallError with `errors` is shown next to the inputs that it names. */
  readonly onSubmit: (value: Record<string, unknown>) => unknown
  readonly onCancel?: () => void
  readonly onDiscard?: () => void
  readonly fixed?: readonly string[]
}

export function SchemaForm(props: SchemaFormProps) {
  const { name, schema, value, action, onSubmit, onCancel, onDiscard, fixed = [] } = props
  const plain = useMemo(() => toFields(schema), [schema])
  const fill = (base: RecordValue) => toDraft(fitTo(base, plain), base)
  const start: FilledForm = { value, base: value, texts: fill(value), isJson: false, json: '' }
  const { of, isKept, forget } = useDraft(name, start)
  const [base, texts, isJson] = [of.base.value, of.texts.value, of.isJson.value]
  const fields = useMemo(() => fitTo(base, plain), [base, plain])
  const mistakes = useSignal<FormTexts>({})
  const isKnown = (name: string) => plain.some((field) => field.name === name)
  const unlisted = Object.fromEntries(Object.entries(base).filter(([name]) => !isKnown(name)))

  const read = (): Record<string, unknown> | undefined => {
    if (isJson) {
      const given = parseTypedJson(of.json.peek())
      if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
      throw new Error('Write one object: { … }.')
    }
    const result = fromDraft(fields, texts, base)
    mistakes.value = result.mistakes
    return Object.keys(result.mistakes).length > 0 ? undefined : { ...unlisted, ...result.value }
  }
  const { failure, isBusy, submit } = useSubmit(async (event) => {
    const form = event.currentTarget as HTMLFormElement
    const given = read()
    if (given === undefined) return focusFirstMistake(form)
    try {
      await onSubmit(given)
      forget()
    } catch (error) {
      const errors = error instanceof CallError ? error.errors : []
      if (errors.length === 0) throw error
      mistakes.value = Object.fromEntries(errors.map(({ path, message }) => [toName(path), message]))
      const unshown = errors.filter(({ path }) => isJson || !isKnown(toName(path)))
      failure.value = unshown.map(({ path, message }) => `${path}: ${message}`).join(' ')
      focusFirstMistake(form)
    }
  })
  const switchMode = ({ currentTarget }: MouseEvent) => {
    failure.value = ''
    if (isJson) {
      try {
        const given = read()!
        batch(() => [(of.base.value = given), (of.texts.value = fill(given)), (of.isJson.value = false)])
      } catch (error) {
        failure.value = error
      }
      return
    }
    const result = fromDraft(fields, texts, base)
    // Empty inputs have nothing to lose.
    const lost = Object.entries(result.mistakes).filter(([name]) => texts[name])
    mistakes.value = Object.fromEntries(lost)
    if (lost.length > 0) focusFirstMistake((currentTarget as HTMLButtonElement).form!)
    else {
      of.json.value = pretty({ ...unlisted, ...result.value })
      of.isJson.value = true
    }
  }
  const cancel = () => {
    forget()
    onCancel!()
  }

  return (
    <form class="form" noValidate onSubmit={submit}>
      <FormFailure of={failure.value} />
      {isJson ? (
        <TextField title="JSON" isRequired kind="input-code" rows={16} of={of.json} />
      ) : (
        fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            text={texts[field.name] ?? ''}
            error={mistakes.value[field.name]}
            disabled={fixed.includes(field.name)}
            onChange={(text) => (of.texts.value = { ...of.texts.peek(), [field.name]: text })}
          />
        ))
      )}
      <div class="row">
        <Button kind="quiet" onClick={switchMode} text={isJson ? 'Edit as a form' : 'Edit as JSON'} />
        <span class="spacer" />
        {onCancel && <Button onClick={cancel} text="Cancel" />}
        {!onCancel && onDiscard && isKept.value && <Button onClick={onDiscard} text="Discard" />}
        <Button kind="primary" type="submit" disabled={isBusy.value} text={action} />
      </div>
    </form>
  )
}

function toName(path: string): string {
  return (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}

function focusFirstMistake(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
}

interface SchemaInputProps {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly disabled?: boolean
  readonly suggested?: readonly string[] | undefined
  readonly onChange: (text: string) => void
}

export function SchemaInput({ error, ...rest }: SchemaInputProps) {
  const { title, hint, isRequired, kind } = rest.field
  if (kind === 'choices') return <Choices error={error} {...rest} />
  return (
    <FieldRow title={title} hint={hint ?? hints[kind]} error={error} isRequired={isRequired}>
      {(ids) => <Input ids={ids} {...rest} />}
    </FieldRow>
  )
}

function Choices({ field, text, error, onChange }: SchemaInputProps) {
  const chosen = text.split('\n').filter(Boolean)
  const values = 'values' in field ? field.values.map(String) : []
  const toggle = (value: string) =>
    onChange(values.filter((one) => chosen.includes(one) !== (one === value)).join('\n'))
  return (
    <fieldset class="field">
      <legend class="field-title">{field.title}</legend>
      {field.hint && <p class="muted small">{field.hint}</p>}
      <div class="row">
        {values.map((value) => (
          <label key={value} class="line tight">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {value}
          </label>
        ))}
      </div>
      {error && <p class="field-error red small">{error}</p>}
    </fieldset>
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

function Input({ field, ids, text, disabled, suggested, onChange }: InputProps) {
  const list = `${ids.id}-suggested`
  const shared = {
    ...ids,
    disabled,
    value: text,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  }
  switch (field.kind) {
    case 'choice':
    case 'boolean': {
      const values = 'values' in field ? field.values.map(String) : ['true', 'false']
      const mayBeEmpty = !field.isRequired || field.isNullable || text === ''
      return (
        <select class="input" {...shared}>
          {mayBeEmpty && <option value="">{field.isNullable ? 'null' : 'not set'}</option>}
          {/* A link or a record may have an unknown value: the server reports it. */}
          {text !== '' && !values.includes(text) && <option value={text}>{text}</option>}
          <Options of={values} />
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
        <>
          <input
            class="input"
            type="text"
            inputMode={field.kind === 'integer' ? 'numeric' : field.kind === 'number' ? 'decimal' : undefined}
            autocomplete="off"
            spellcheck={false}
            list={suggested && list}
            {...shared}
          />
          <DataList id={list} of={suggested} />
        </>
      )
  }
}
