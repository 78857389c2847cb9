import { useSignal, batch } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { ClientError } from '../../../control/client/errors.ts'
import { isObject } from '../../../core/contract/options.ts'
import { isSame } from '../../../core/text/values.ts'
import { toPointer } from '../../../scenarios/language/pointer.ts'
import { usePanel } from '../../data/panel.ts'
import { Button } from '../controls.tsx'
import { fitTo, type FormField, fromDraft, parseTypedJson, toDraft, toFields } from './draft.ts'
import { pretty } from '../words.ts'
import type { JsonSchema, RecordValue } from '../../data/shapes.ts'

import { Choice, Choices, Form, TextField } from './form.tsx'

interface SchemaFormProps {
  schema: JsonSchema
  value: RecordValue
  action: string
  onSubmit: (value: RecordValue) => unknown
  onCancel?: () => void
  onDiscard?: (() => void) | undefined
  fixed?: readonly string[]
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, value, action, onSubmit, onCancel, onDiscard, fixed = [] } = props
  const { fields, texts, json, read, switchMode } = useDraft(schema, value)
  const type = (name: string, text: string) =>
    void (texts.value = { ...texts.peek(), [name]: text })
  const shown = json.value
  return (
    <Form
      action={action}
      onSubmit={() => onSubmit(read())}
      onCancel={onCancel}
      more={(run) => (
        <>
          <Button
            kind="quiet"
            onClick={run(switchMode)}
            text={shown === undefined ? 'Edit as JSON' : 'Edit as a form'}
          />
          {onDiscard && <Button onClick={onDiscard} text="Discard" />}
        </>
      )}
    >
      {shown === undefined ? (
        fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            text={texts.value[field.name] ?? ''}
            disabled={fixed.includes(field.name)}
            onType={(text) => type(field.name, text)}
          />
        ))
      ) : (
        <TextField
          title="JSON"
          isRequired
          kind="input-code"
          rows={16}
          text={shown}
          onType={(text) => void (json.value = text)}
        />
      )}
    </Form>
  )
}

/** The typed form of a value: a text of each field, or one JSON of all. */
function useDraft(schema: JsonSchema, value: RecordValue) {
  const { world } = usePanel()
  const plain = useMemo(() => toFields(schema), [schema])
  const base = useSignal(value)
  const fields = fitTo(base.value, plain)
  const texts = useSignal(toDraft(fields, value))
  const json = useSignal<string | undefined>(undefined)
  /**
   * What was shown or sent last: what differs from it was typed since, and stays when `value`
   * changes.
   */
  const shown = useRef({ texts: texts.peek(), json: json.peek() })
  useLayoutEffect(() => {
    if (isSame(base.peek(), value)) return
    const before = shown.current
    const next = toDraft(fitTo(value, plain), value)
    const typed = Object.entries(texts.peek()).filter(([name, text]) => text !== before.texts[name])
    const nextJson = json.peek() === undefined ? undefined : pretty(value)
    batch(() => {
      base.value = value
      texts.value = { ...next, ...Object.fromEntries(typed) }
      if (json.peek() === before.json) json.value = nextJson
    })
    shown.current = { texts: next, json: nextJson }
  }, [value])
  /** @param isWhole whether what is required has to be there */
  const readTexts = (isWhole: boolean) => {
    const { value, mistakes } = fromDraft(fields, texts.peek(), world.now.peek() ?? 0, base.peek())
    assertNone(Object.entries(mistakes).filter(([name]) => isWhole || texts.peek()[name]))
    return { ...withoutFields(base.peek(), plain), ...value }
  }
  const read = () => {
    const typed = json.peek()
    shown.current = { texts: texts.peek(), json: typed }
    if (typed === undefined) return readTexts(true)
    return readObject(typed)
  }
  const switchMode = () =>
    batch(() => {
      const typed = json.peek()
      if (typed === undefined) {
        json.value = pretty(readTexts(false))
        shown.current.json = json.value
        return
      }
      base.value = readObject(typed)
      texts.value = toDraft(fitTo(base.value, plain), base.value)
      json.value = undefined
    })
  return { fields, texts, json, read, switchMode }
}

function assertNone(mistakes: readonly [field: string, message: string][]) {
  if (mistakes.length === 0) return
  const errors = mistakes.map(([name, message]) => ({ path: toPointer([name]), message }))
  throw new ClientError('invalid_form', 0, 'Some fields are wrong.', { errors })
}

function withoutFields(value: RecordValue, fields: readonly FormField[]): RecordValue {
  const unlisted = Object.entries(value).filter(([name]) =>
    fields.every((field) => field.name !== name),
  )
  return Object.fromEntries(unlisted)
}

function readObject(json: string): RecordValue {
  const given = parseTypedJson(json)
  if (isObject(given)) return given as RecordValue
  throw new Error('Write one object: { … }.')
}

interface SchemaInputProps {
  field: FormField
  text: string
  disabled?: boolean
  suggested?: readonly string[] | undefined
  onType: (text: string) => void
}

export function SchemaInput({ field, suggested, ...given }: SchemaInputProps) {
  const { kind, name, title, isRequired, isNullable } = field
  const { text } = given
  const shown = { title, name, hint: field.hint ?? hints[kind], isRequired, ...given }
  const values = 'values' in field ? field.values.map(String) : ['true', 'false']
  if (kind === 'choices') return <Choices {...shown} values={values} />
  if (kind === 'choice' || kind === 'boolean') {
    const absent = isNullable ? 'null' : 'not set'
    const isOpen = !isRequired || isNullable || text === ''
    return <Choice {...shown} values={values} absent={isOpen ? absent : undefined} />
  }
  return (
    <TextField
      {...shown}
      suggested={suggested}
      kind={kind === 'json' ? 'input-code' : ''}
      inputMode={modes[kind]}
      rows={/json|texts|long/.test(kind) ? Math.min(12, Math.max(3, text.split('\n').length)) : 0}
    />
  )
}

const modes: Partial<Record<FormField['kind'], 'numeric' | 'decimal'>> = {
  integer: 'numeric',
  number: 'decimal',
}

const hints: Partial<Record<FormField['kind'], string>> = {
  time: 'now, in 3d, 1h ago, or 2026-01-31T12:00:00Z',
  'stored-time': 'now, in 3d, 1h ago, or 2026-01-31T12:00:00Z',
  texts: 'One per line.',
  json: 'JSON.',
}
