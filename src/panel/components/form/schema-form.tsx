import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { ApiFailure } from '../../data/failure.ts'
import type { JsonSchema } from '../../data/shapes.ts'
import { Button } from '../button.tsx'
import { FieldRow } from './field.tsx'
import { fromDraft, pretty, readJson, toDraft, type Mistakes } from './draft.ts'
import { toFields } from './kind.ts'
import { SchemaInput } from './schema-input.tsx'

export interface SchemaFormProps {
  readonly schema: JsonSchema
  readonly value?: Readonly<Record<string, unknown>>
  /** What the button says: `Add`, `Save`. */
  readonly action: string
  /** An ApiFailure with `errors` is shown beside the inputs that it names. */
  readonly onSubmit: (value: Record<string, unknown>) => unknown
  readonly onCancel?: () => void
  /** Fields that stand there and can't be changed. */
  readonly fixed?: readonly string[]
}

/** A form for an object with a JSON Schema. It can also be edited as JSON. */
export function SchemaForm({ schema, value = {}, action, onSubmit, onCancel, fixed = [] }: SchemaFormProps) {
  const fields = useMemo(() => toFields(schema), [schema])
  /** What the inputs were filled with. */
  const base = useSignal<Readonly<Record<string, unknown>>>(value)
  const draft = useSignal(toDraft(fields, value))
  const json = useSignal<string | undefined>(undefined)
  const mistakes = useSignal<Mistakes>({})
  const failure = useSignal('')
  const isBusy = useSignal(false)
  const known = useMemo(() => new Set(fields.map(({ name }) => name)), [fields])
  /** What the value has that the schema does not say. */
  const further = Object.fromEntries(Object.entries(base.value).filter(([name]) => !known.has(name)))

  const read = (): Record<string, unknown> | undefined => {
    if (json.peek() !== undefined) {
      try {
        const given = readJson(json.peek()!)
        if (typeof given === 'object' && given !== null && !Array.isArray(given))
          return given as Record<string, unknown>
        throw new Error('Write one object: { … }.')
      } catch (error) {
        failure.value = (error as Error).message
        return undefined
      }
    }
    const result = fromDraft(fields, draft.peek(), base.peek())
    mistakes.value = result.mistakes
    return Object.keys(result.mistakes).length > 0 ? undefined : { ...further, ...result.value }
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    const form = event.currentTarget as HTMLFormElement
    failure.value = ''
    const given = read()
    if (given === undefined) return focusFirstMistake(form)
    isBusy.value = true
    try {
      await onSubmit(given)
    } catch (error) {
      const errors = error instanceof ApiFailure ? error.errors : []
      mistakes.value = Object.fromEntries(errors.map(({ path, message }) => [toName(path), message]))
      const unseen = errors.filter(({ path }) => json.peek() !== undefined || !known.has(toName(path)))
      failure.value =
        errors.length > 0
          ? unseen.map(({ path, message }) => `${path}: ${message}`).join(' ')
          : error instanceof Error
            ? error.message
            : String(error)
      focusFirstMistake(form)
    } finally {
      isBusy.value = false
    }
  }
  const switchMode = () => {
    failure.value = ''
    if (json.peek() === undefined) {
      json.value = pretty({ ...further, ...fromDraft(fields, draft.peek(), base.peek()).value })
      return
    }
    const given = read()
    if (given === undefined) return
    base.value = given
    draft.value = toDraft(fields, given)
    json.value = undefined
  }

  return (
    <form class="form" noValidate onSubmit={(event) => void submit(event)}>
      {failure.value !== '' && (
        <p class="form-failure" role="alert">
          {failure.value}
        </p>
      )}
      {json.value !== undefined ? (
        <FieldRow title="JSON" isRequired>
          {(ids) => (
            <textarea
              {...ids}
              class="input input-code"
              rows={16}
              spellcheck={false}
              value={json.value}
              onInput={(event) => (json.value = event.currentTarget.value)}
            />
          )}
        </FieldRow>
      ) : (
        fields.map((field) => (
          <SchemaInput
            key={field.name}
            field={field}
            text={draft.value[field.name] ?? ''}
            error={mistakes.value[field.name]}
            disabled={fixed.includes(field.name)}
            onChange={(text) => (draft.value = { ...draft.value, [field.name]: text })}
          />
        ))
      )}
      <div class="form-foot">
        <Button kind="quiet" onClick={switchMode}>
          {json.value === undefined ? 'Edit as JSON' : 'Edit as a form'}
        </Button>
        <span class="spacer" />
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" disabled={isBusy.value}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** The field that a JSON pointer leads into. */
function toName(path: string): string {
  return (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}

function focusFirstMistake(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
}
