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
import type { JsonSchema, RecordValue } from '../../data/control.ts'

import { Choice, Choices, Form, TextField } from './form.tsx'

interface SchemaFormProps {
  schema: JsonSchema
  /** The record as it is now: once one types, what others change of it is only announced. */
  value: RecordValue
  action: string
  /** @param before the record that was edited. Returns the record to show from now on. */
  onSubmit: (given: RecordValue, before: RecordValue) => Promise<RecordValue | void>
  onCancel?: () => void
  fixed?: readonly string[]
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, value, action, onSubmit, onCancel, fixed = [] } = props
  const draft = useDraft(schema, value)
  const { fields, texts, json, isTyped, discard } = draft
  const type = (name: string, text: string) =>
    void (texts.value = {
      ...texts.peek(),
      [name]: text,
    })
  const shown = json.value
  return (
    <div>
      {isTyped && !isSame(value, draft.before) && (
        <p class="callout callout-warning row below" role="status">
          <span>The record has changed meanwhile. Save writes only your changes.</span>
          <Button onClick={discard} text="Show the current record" />
        </p>
      )}
      <Form
        key={draft.round}
        action={action}
        onSubmit={() => draft.submit(onSubmit)}
        onCancel={onCancel}
        more={(run) => (
          <>
            <Button
              kind="quiet"
              onClick={run(draft.switchMode)}
              text={shown === undefined ? 'Edit as JSON' : 'Edit as a form'}
            />
            {isTyped && !onCancel && <Button onClick={discard} text="Discard" />}
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
    </div>
  )
}

/** The typed form of a record: a text of each field, or one JSON of all. */
function useDraft(schema: JsonSchema, value: RecordValue) {
  const { world } = usePanel()
  const plain = useMemo(() => toFields(schema), [schema])
  /** The texts were made from this: the record, or what was typed as JSON. */
  const base = useSignal(value)
  const fields = fitTo(base.value, plain)
  const texts = useSignal(toDraft(fields, value))
  const json = useSignal<string | undefined>(undefined)
  const round = useSignal(0)
  /** The record that is edited, and how it was shown: what differs from it was typed. */
  const shown = useSignal({
    record: value,
    texts: texts.peek(),
    json: json.peek(),
  })
  const isTyped =
    json.value !== shown.value.json ||
    !isSame(texts.value, shown.value.texts) ||
    !isSame(base.value, shown.value.record)
  const typedNow = () => ({
    texts: texts.peek(),
    json: json.peek(),
  })
  /** Shows a record, but for what was typed since the time of `before`. */
  const show = (record: RecordValue, before = typedNow()) =>
    batch(() => {
      const next = toDraft(fitTo(record, plain), record)
      const typed = Object.entries(texts.peek()).filter(
        ([name, text]) => text !== before.texts[name],
      )
      const nextJson = json.peek() === undefined ? undefined : pretty(record)
      base.value = record
      texts.value = { ...next, ...Object.fromEntries(typed) }
      if (json.peek() === before.json) json.value = nextJson
      shown.value = {
        record,
        texts: next,
        json: nextJson,
      }
    })
  const discard = () =>
    batch(() => {
      json.value = undefined
      show(value)
      round.value++
    })
  /** The last record from outside that was shown: one that comes while one types waits for the end. */
  const seen = useRef(value)
  const latest = useRef(value)
  latest.current = value
  useLayoutEffect(() => {
    if (isTyped || seen.current === value) return
    seen.current = value
    if (!isSame(base.peek(), value)) show(value)
  }, [value, isTyped])
  /** @param isWhole whether what is required has to be there */
  const readTexts = (isWhole: boolean) => {
    const { value, mistakes } = fromDraft(fields, texts.peek(), world.now.peek() ?? 0, base.peek())
    assertNone(Object.entries(mistakes).filter(([name]) => isWhole || texts.peek()[name]))
    return { ...withoutFields(base.peek(), plain), ...value }
  }
  const submit = async (onSubmit: SchemaFormProps['onSubmit']) => {
    const sent = typedNow()
    const given = sent.json === undefined ? readTexts(true) : readObject(sent.json)
    const saved = await onSubmit(given, shown.peek().record)
    if (!saved) return
    // A change that another made before is older than what was saved.
    seen.current = latest.current
    show(saved, sent)
  }
  const switchMode = () =>
    batch(() => {
      const typed = json.peek()
      if (typed === undefined) json.value = pretty(readTexts(false))
      else {
        base.value = readObject(typed)
        texts.value = toDraft(fitTo(base.value, plain), base.value)
        json.value = undefined
      }
      shown.value = {
        ...shown.peek(),
        json: json.value,
      }
    })
  const before = shown.value.record
  return {
    fields,
    texts,
    json,
    before,
    isTyped,
    round: round.value,
    discard,
    submit,
    switchMode,
  }
}

function assertNone(mistakes: readonly [field: string, message: string][]) {
  if (mistakes.length === 0) return
  const errors = mistakes.map(([name, message]) => ({
    path: toPointer([name]),
    message,
  }))
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
  if (isObject(given)) return given
  throw new Error('Write one object: { … }.')
}

interface SchemaInputProps {
  field: FormField
  text: string
  disabled?: boolean
  suggested?: readonly string[]
  onType: (text: string) => void
}

export function SchemaInput({ field, suggested, ...given }: SchemaInputProps) {
  const { kind, name, title, isRequired, isNullable } = field
  const { text } = given
  const shown = {
    title,
    name,
    hint: field.hint ?? hints[kind],
    isRequired,
    ...given,
  }
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
