import { useId } from 'preact/hooks'
import { Button, FieldRow } from '../../components/index.ts'
import { Options } from '../../components/select.tsx'
import type { Api } from '../../data/api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { OptionDeclaration, ScenarioSummary } from '../../data/shapes.ts'
import { activeTexts, inputTypeOf, type Option, type OptionTexts, splitOptions, toHint } from './option-texts.ts'

interface OptionsFormProps {
  readonly scenario: ScenarioSummary
  readonly texts: OptionTexts
  readonly inForce: OptionTexts
  readonly isOn: boolean
  readonly mistakes: OptionTexts
  readonly onChange: (option: string, text: string) => void
  readonly onFill: (texts: OptionTexts) => void
  readonly onSubmit: () => Promise<void>
}

export function OptionsForm({
  scenario,
  texts,
  inForce,
  isOn,
  mistakes,
  onChange,
  onFill,
  onSubmit,
}: OptionsFormProps) {
  const [what, when] = splitOptions(scenario)
  const defaults = activeTexts(scenario, undefined)
  const isChanged = !areEqual(texts, inForce)
  const showPart = (title: string, options: readonly Option[]) =>
    options.length > 0 && (
      <fieldset class="scenario-part">
        <legend>{title}</legend>
        {options.map(([name, declaration]) => (
          <OptionInput
            key={name}
            name={name}
            declaration={declaration}
            text={texts[name]!}
            error={mistakes[name]}
            onChange={(text) => onChange(name, text)}
          />
        ))}
      </fieldset>
    )
  return (
    <form
      class="form"
      aria-label="Options"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {showPart('What it does', what)}
      {showPart('When, and for whom', when)}
      {what.length + when.length === 0 && <p class="muted">It has no options.</p>}
      <div class="row">
        {(!isOn || isChanged) && (
          <Button kind="primary" type="submit">
            {isOn ? 'Apply' : 'Switch on'}
          </Button>
        )}
        {isOn && isChanged && <Button onClick={() => onFill(inForce)}>Discard</Button>}
        {!areEqual(texts, defaults) && (
          <Button kind="quiet" onClick={() => onFill(defaults)}>
            Fill in the defaults
          </Button>
        )}
      </div>
    </form>
  )
}

function areEqual(one: OptionTexts, other: OptionTexts): boolean {
  return Object.entries(one).every(([name, text]) => other[name] === text)
}

interface OptionInputProps {
  readonly name: string
  readonly declaration: OptionDeclaration
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

function OptionInput({ name, declaration, text, error, onChange }: OptionInputProps) {
  const type = inputTypeOf(declaration)
  const values = declaration.values?.map(String) ?? (type === 'boolean' ? ['true', 'false'] : undefined)
  const id = useId()
  return (
    <FieldRow title={name} hint={toHint(declaration)} error={error} isRequired>
      {({ 'aria-required': _, ...ids }) =>
        values ? (
          <select class="input" {...ids} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
            {/* A link may contain an unknown value: the server reports it. */}
            {!values.includes(text) && <option value={text}>{text}</option>}
            <Options of={values} />
          </select>
        ) : (
          <>
            <input
              class="input"
              {...ids}
              type="text"
              inputMode={type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : undefined}
              autocomplete="off"
              spellcheck={false}
              list={name in sources ? id : undefined}
              value={text}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
            {name in sources && <Suggestions id={id} of={name as keyof typeof sources} />}
          </>
        )
      }
    </FieldRow>
  )
}

const sources = {
  on: async (api: Api) => {
    const ids = (await api.operations()).map(({ id }) => id as string)
    return ['*', ...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('.')) + '.*')), ...ids]
  },
  key: async (api: Api) => ['any', ...Object.keys((await api.start()).keys)],
  account: async (api: Api, world: string) => ['any', ...(await api.accounts(world)).map(({ id }) => id)],
}

function Suggestions({ id, of }: { readonly id: string; readonly of: keyof typeof sources }) {
  const { api, world } = usePanel()
  const found = useResource(() => sources[of](api, world.name.peek()), [of]).value.value
  return (
    <datalist id={id}>
      {found?.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
