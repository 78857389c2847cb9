import {
  type ReadonlySignal,
  type Signal,
  signal,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import { type ComponentChildren, createContext, type Ref } from 'preact'
import { useContext, useId } from 'preact/hooks'
import { ClientError } from '../../../control/client/errors.ts'
import { toPath } from '../../../scenarios/language/pointer.ts'
import { isOffline, explainError, type Texts } from '../../data/control.ts'
import { usePanel } from '../../data/panel.ts'
import {
  Button,
  type ButtonProps,
  type InputIds,
  Options,
  Select,
  type SelectOption,
} from '../controls.tsx'

const MistakesContext = createContext<ReadonlySignal<Texts>>(signal({}))

/**
 * Returns what a form needs to do its work, which it does once at a time. `failure` is why that
 * failed: an error, a text, or `''`; the fields show what is about them. A failed connection
 * disappears when the server is back.
 */
function useSubmit() {
  const { connection } = usePanel().live
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>('')
  const mistakes = useSignal<Texts>({})
  useSignalEffect(() => {
    if (connection.value === 'live' && isOffline(failure.peek())) failure.value = ''
  })
  const show = (error: unknown, form: HTMLFormElement) => {
    const errors = error instanceof ClientError ? error.errors : []
    const found = errors.map((one) => ({
      ...one,
      name: nameOfInput(one.path, form),
    }))
    const unnamed = found
      .filter(({ name }) => name === undefined)
      .map(({ path, message }) => `${path}: ${message}`)
    mistakes.value = Object.fromEntries(found.map(({ name = '', message }) => [name, message]))
    failure.value = errors.length > 0 ? unnamed.join(' ') : error
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  const run = (work: () => unknown) => async (event: Event) => {
    event.preventDefault()
    const form = (event.target as Element).closest('form')
    if (!form || isBusy.peek()) return
    isBusy.value = true
    failure.value = ''
    mistakes.value = {}
    try {
      await work()
    } catch (error) {
      show(error, form)
    } finally {
      isBusy.value = false
    }
  }
  return {
    failure,
    mistakes,
    isBusy,
    run,
  }
}

function nameOfInput(path: string, form: HTMLFormElement): string | undefined {
  return toPath(path).find((part) => part !== '' && form.elements.namedItem(part) !== null)
}

interface FormProps {
  label?: string
  action: string
  icon?: ButtonProps['icon']
  disabled?: boolean
  /** Its error is shown: a ClientError with `errors` next to the fields that they name. */
  onSubmit: () => unknown
  onCancel?: () => void
  /** Further buttons. What they `run` fails as a submit does. */
  more?: (run: ReturnType<typeof useSubmit>['run']) => ComponentChildren
  children: ComponentChildren
}

export function Form({
  label,
  action,
  icon,
  disabled = false,
  onSubmit,
  onCancel,
  more,
  children,
}: FormProps) {
  const { failure, mistakes, isBusy, run } = useSubmit()
  return (
    <MistakesContext.Provider value={mistakes}>
      <form
        class="form"
        aria-label={label}
        noValidate
        onSubmit={run(onSubmit)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.requestSubmit()
        }}
      >
        {failure.value !== '' && (
          <p class="callout callout-bad" role="alert">
            {explainError(failure.value)}
          </p>
        )}
        {children}
        <div class="row">
          {more?.(run)}
          <span class="spacer" />
          {onCancel && <Button onClick={onCancel} text="Cancel" />}
          <Button
            kind="primary"
            type="submit"
            icon={icon}
            disabled={disabled || isBusy.value}
            text={action}
          />
        </div>
      </form>
    </MistakesContext.Provider>
  )
}

type LineFormProps = TextFieldProps & {
  action: string
  onSubmit: () => unknown
}

export function LineForm({ onSubmit, ...field }: LineFormProps) {
  const { failure, run } = useSubmit()
  return (
    <form class="line-form" noValidate onSubmit={run(onSubmit)}>
      <TextField {...field} isRequired error={explainError(failure.value)} />
    </form>
  )
}

interface FieldProps {
  title: string
  /** Its form shows a mistake that names it here. */
  name?: string
  hint?: string
  error?: string
  isRequired?: boolean
  isBare?: boolean
  /** True if it has several inputs, each with its label. */
  isGroup?: boolean
}

type FieldRowProps = FieldProps & { children: (ids: InputIds) => ComponentChildren }

function Field(props: FieldRowProps) {
  const { title, name, hint, isRequired = false, isBare, isGroup, children } = props
  const id = useId()
  const mistakes = useContext(MistakesContext).value
  const error = props.error || (name && mistakes[name])
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const [Row, Title] = isGroup ? (['fieldset', 'legend'] as const) : (['div', 'label'] as const)
  const ids = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': isRequired || undefined,
  }
  return (
    <Row class={`field ${error ? 'field-wrong' : ''}`} {...(isGroup && { name })}>
      <Title {...(!isGroup && { for: id })} class={isBare ? 'hidden-text' : 'field-title'}>
        {title}
        {!isRequired && <small> optional</small>}
      </Title>
      {children(ids)}
      <Note id={`${id}-hint`} kind="muted" text={hint} />
      <Note id={`${id}-error`} kind="field-error red" text={error} />
    </Row>
  )
}

function Note({ id, kind, text }: { id: string; kind: string; text: string | undefined }) {
  return text ? (
    <p id={id} class={kind}>
      {text}
    </p>
  ) : null
}

interface TextFieldProps extends FieldProps {
  disabled?: boolean
  autofocus?: boolean
  inputMode?: 'numeric' | 'decimal'
  placeholder?: string
  text: string
  onType: (text: string) => void
  rows?: number
  kind?: 'mono' | 'input-code' | ''
  isSecret?: boolean
  suggested?: readonly SelectOption[]
  onChange?: () => void
  area?: Ref<HTMLTextAreaElement>
  action?: string
}

export function TextField(props: TextFieldProps) {
  const { text, onType, rows, kind = '', area, action, isSecret, suggested } = props
  const { disabled, autofocus, inputMode, placeholder, onChange } = props
  const typed = {
    disabled,
    autofocus,
    inputMode,
    placeholder,
    onChange,
    class: `input ${kind}`,
    autocomplete: 'off',
    spellcheck: false,
    value: text,
    onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  } as const
  return (
    <Field {...props}>
      {(ids) =>
        rows ? (
          <textarea {...ids} {...typed} ref={area} rows={rows} />
        ) : (
          <div class="line">
            {isSecret ? (
              <input {...ids} {...typed} type="password" />
            ) : (
              <input {...ids} {...typed} list={suggested && `${ids.id}-suggested`} />
            )}
            {suggested && (
              <datalist id={`${ids.id}-suggested`}>
                <Options of={suggested} />
              </datalist>
            )}
            {action && <Button type="submit" text={action} />}
          </div>
        )
      }
    </Field>
  )
}

export function bound(of: Signal<string>) {
  return {
    text: of.value,
    onType: (text: string) => void (of.value = text),
  }
}

/** The texts of a form, and what binds a field to the one of its name. */
export function useTexts<Name extends string>(start: Readonly<Record<Name, string>>) {
  const texts = useSignal(start)
  const input = (name: Name) => ({
    name,
    text: texts.value[name],
    onType: (text: string) =>
      void (texts.value = {
        ...texts.peek(),
        [name]: text,
      }),
  })
  return {
    texts: texts.value,
    input,
  }
}

interface ChoiceProps extends FieldProps {
  values: readonly string[]
  text: string
  disabled?: boolean
  onType: (text: string) => void
}

export function Choices({ values, text, onType, ...field }: ChoiceProps) {
  const chosen = text.split('\n')
  const turn = (value: string) =>
    values.filter((one) => chosen.includes(one) !== (one === value)).join('\n')
  return (
    <Field {...field} isGroup>
      {() => (
        <div class="row">
          {values.map((value) => (
            <label key={value} class="line tight">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => onType(turn(value))}
              />
              {value}
            </label>
          ))}
        </div>
      )}
    </Field>
  )
}

/** @param absent what it is called that none is chosen, where that is possible */
export function Choice(props: ChoiceProps & { absent?: string }) {
  const { values, text, disabled, onType, absent, ...field } = props
  const options: SelectOption[] = [...values]
  // A link or a record may have an unknown value: the server reports it.
  if (text !== '' && !values.includes(text)) options.unshift(text)
  if (absent !== undefined)
    options.unshift({
      value: '',
      title: absent,
    })
  return (
    <Field {...field}>
      {(ids) => (
        <Select {...ids} {...{ disabled, options }} class="input" value={text} onChange={onType} />
      )}
    </Field>
  )
}
