import { batch, useSignal } from '@preact/signals'
import { useContext, useMemo } from 'preact/hooks'
import { pretty } from '../words.ts'
import type { JsonSchema, RecordValue } from '../../data/shapes.ts'
import { Button, Options } from '../controls.tsx'
import { fitTo, type FormField, fromDraft, parseTypedJson, toDraft, toFields } from './draft.ts'
import { Field, Form, Mistakes, MistakesContext, TextField } from './form.tsx'

interface SchemaFormProps {
  readonly schema: JsonSchema
  /** What it shows at first. */
  readonly value: RecordValue
  readonly action: string
  readonly onSubmit: (value: Record<string, unknown>) => unknown
  readonly onCancel?: () => void
  readonly onDiscard?: (() => void) | undefined
  readonly fixed?: readonly string[]
}

export function SchemaForm({ schema, value, action, onSubmit, onCancel, onDiscard, fixed = [] }: SchemaFormProps) {
  const plain = useMemo(() => toFields(schema), [schema])
  const base = useSignal(value)
  const fields = fitTo(base.value, plain)
  const texts = useSignal(toDraft(fields, value))
  /** Its text, while the form is edited as JSON. */
  const json = useSignal<string | undefined>(undefined)
  const isJson = json.value !== undefined

  const readJson = () => {
    const given = parseTypedJson(json.peek()!)
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
    throw new Error('Write one object: { … }.')
  }
  /** @param isWhole whether what is required has to be there */
  const readTexts = (isWhole: boolean) => {
    const { value, mistakes } = fromDraft(fields, texts.peek(), base.peek())
    const wrong = Object.entries(mistakes).filter(([name]) => isWhole || texts.peek()[name])
    if (wrong.length > 0) throw new Mistakes(Object.fromEntries(wrong))
    const unlisted = Object.entries(base.peek()).filter(([name]) => plain.every((field) => field.name !== name))
    return { ...Object.fromEntries(unlisted), ...value }
  }
  const switchMode = () =>
    batch(() => {
      if (!isJson) return (json.value = pretty(readTexts(false)))
      base.value = readJson()
      texts.value = toDraft(fitTo(base.value, plain), base.value)
      json.value = undefined
    })
  return (
    <Form
      action={action}
      onSubmit={() => onSubmit(isJson ? readJson() : readTexts(true))}
      onCancel={onCancel}
      more={(run) => (
        <>
          <Button kind="quiet" onClick={run(switchMode)} text={isJson ? 'Edit as a form' : 'Edit as JSON'} />
          {onDiscard && <Button onClick={onDiscard} text="Discard" />}
        </>
      )}
    >
      {json.value !== undefined ? (
        <TextField
          title="JSON"
          isRequired
          kind="input-code"
          rows={16}
          text={json.value}
          onType={(text) => (json.value = text)}
        />
      ) : (
        fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            text={texts.value[field.name] ?? ''}
            disabled={fixed.includes(field.name)}
            onType={(text) => (texts.value = { ...texts.peek(), [field.name]: text })}
          />
        ))
      )}
    </Form>
  )
}

interface SchemaInputProps {
  readonly field: FormField
  readonly text: string
  readonly error?: string | undefined
  readonly disabled?: boolean
  readonly suggested?: readonly string[] | undefined
  readonly onType: (text: string) => void
}

export function SchemaInput({ field, text, error, disabled, suggested, onType }: SchemaInputProps) {
  const { kind, name, title, isRequired } = field
  const shown = { title, name, hint: field.hint ?? hints[kind], error, isRequired }
  switch (kind) {
    case 'choices':
      return <Choices {...{ field, text, onType }} values={field.values.map(String)} />
    case 'choice':
    case 'boolean': {
      const values = kind === 'choice' ? field.values.map(String) : ['true', 'false']
      const mayBeEmpty = !isRequired || field.isNullable || text === ''
      return (
        <Field {...shown}>
          {(ids) => (
            <select
              class="input"
              {...ids}
              disabled={disabled}
              value={text}
              onChange={(event) => onType(event.currentTarget.value)}
            >
              {mayBeEmpty && <option value="">{field.isNullable ? 'null' : 'not set'}</option>}
              {/* A link or a record may have an unknown value: the server reports it. */}
              {text !== '' && !values.includes(text) && <option value={text}>{text}</option>}
              <Options of={values} />
            </select>
          )}
        </Field>
      )
    }
    default: {
      const isLong = kind === 'json' || kind === 'texts' || kind === 'long-text'
      return (
        <TextField
          {...shown}
          {...{ text, disabled, suggested, onType }}
          kind={kind === 'json' ? 'input-code' : ''}
          inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined}
          {...(isLong && { rows: Math.min(12, Math.max(3, text.split('\n').length)) })}
        />
      )
    }
  }
}

const hints: Partial<Record<FormField['kind'], string>> = {
  time: 'ISO 8601: 2026-01-31T12:00:00Z',
  'stored-time': 'ISO 8601: 2026-01-31T12:00:00Z',
  texts: 'One per line.',
  json: 'JSON.',
}

function Choices(props: Pick<SchemaInputProps, 'field' | 'text' | 'onType'> & { readonly values: readonly string[] }) {
  const { name, title, hint } = props.field
  const { text, values, onType } = props
  const error = useContext(MistakesContext).value[name]
  const chosen = text.split('\n').filter(Boolean)
  const toggle = (value: string) => onType(values.filter((one) => chosen.includes(one) !== (one === value)).join('\n'))
  return (
    <fieldset class="field" name={name}>
      <legend class="field-title">{title}</legend>
      {hint && <p class="muted small">{hint}</p>}
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
