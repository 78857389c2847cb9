import { Button } from '../../components/controls.tsx'
import type { FormField } from '../../components/form/draft.ts'
import { SchemaInput } from '../../components/form/schema-form.tsx'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { OptionDeclaration, PanelChoice, ScenarioSummary } from '../../data/shapes.ts'

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
      <fieldset class="columns scenario-part">
        <legend>{title}</legend>
        {options.map(([name, declaration]) => (
          <SchemaInput
            key={name}
            field={toField(name, declaration)}
            text={texts[name]!}
            error={mistakes[name]}
            suggest={isSource(name) ? (id) => <Suggestions id={id} of={name} /> : undefined}
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
        {(!isOn || isChanged) && <Button kind="primary" type="submit" text={isOn ? 'Apply' : 'Switch on'} />}
        {isOn && isChanged && <Button onClick={() => onFill(inForce)} text="Discard" />}
        {!areEqual(texts, defaults) && (
          <Button kind="quiet" onClick={() => onFill(defaults)} text="Fill in the defaults" />
        )}
      </div>
    </form>
  )
}

function areEqual(one: OptionTexts, other: OptionTexts): boolean {
  return Object.entries(one).every(([name, text]) => other[name] === text)
}

function toField(name: string, declaration: OptionDeclaration): FormField {
  const type = inputTypeOf(declaration)
  const values = declaration.values ?? (type === 'boolean' ? [true, false] : undefined)
  return {
    ...(values ? { kind: 'choice', values } : { kind: type === 'integer' || type === 'number' ? type : 'text' }),
    name,
    title: name,
    hint: toHint(declaration),
    isRequired: true,
    isNullable: false,
    schema: {},
  }
}

const sources = {
  on: async (control: ControlApi) => {
    const ids = (await control.call('GET /operations')).data.map(({ id }) => id as string)
    return ['*', ...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('.')) + '.*')), ...ids]
  },
  key: async (control: ControlApi) => ['any', ...Object.keys((await control.call('GET /start')).keys)],
  account: async (control: ControlApi) => [
    'any',
    ...(await control.call('GET /worlds/{world}/accounts')).data.map(({ id }) => id),
  ],
}

function isSource(name: string): name is keyof typeof sources {
  return name in sources
}

function Suggestions({ id, of }: { readonly id: string; readonly of: keyof typeof sources }) {
  const { control } = usePanel()
  const found = useResource(() => sources[of](control), [of]).value.value
  return (
    <datalist id={id}>
      {found?.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}

export type OptionTexts = Readonly<Record<string, string>>

/** The URL parameter that holds an option which was changed but not applied. */
export const paramOf = (option: string) => `option.${option}`

export function activeTexts({ options }: ScenarioSummary, active: PanelChoice | undefined): OptionTexts {
  const chosen: Readonly<Record<string, unknown>> = typeof active === 'object' ? active : {}
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: fallback }]) => [name, String(chosen[name] ?? fallback)]),
  )
}

export function draftTexts(inForce: OptionTexts, params: Readonly<Record<string, string>>): OptionTexts {
  return Object.fromEntries(Object.entries(inForce).map(([name, text]) => [name, params[paramOf(name)] ?? text]))
}

export function optionsOf(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name.startsWith('option.')))
}

export function clearedOptionParams(params: Readonly<Record<string, string>>): Record<string, undefined> {
  return Object.fromEntries(Object.keys(optionsOf(params)).map((name) => [name, undefined]))
}

export function toScenarioChoice(
  { name, options }: ScenarioSummary,
  texts: OptionTexts,
): { name: string } & OptionTexts {
  const changed = Object.entries(texts).filter(([option, text]) => text !== String(options[option]!.default))
  return { name, ...Object.fromEntries(changed) }
}

const conditions = ['on', 'after', 'every', 'times', 'failures', 'probability', 'plan', 'account', 'key']

function splitOptions({ options }: ScenarioSummary): readonly [what: Option[], when: Option[]] {
  const all = Object.entries(options)
  const rank = ([name]: Option) => conditions.indexOf(name)
  return [
    all.filter((option) => rank(option) < 0),
    all.filter((option) => rank(option) >= 0).sort((one, other) => rank(one) - rank(other)),
  ]
}

type Option = [name: string, declaration: OptionDeclaration]

export function inputTypeOf({ type, default: fallback }: OptionDeclaration): string {
  return type ?? typeof fallback
}

function toHint(declaration: OptionDeclaration): string {
  const { description, default: fallback } = declaration
  return [description, kindOf(declaration), `Default: ${String(fallback) || 'empty'}`]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => withoutEnd(part!))
    .join('. ')
}

function kindOf(declaration: OptionDeclaration): string {
  const { values, unit, min, max } = declaration
  if (values) return ''
  const counted = unit === undefined ? '' : ` of ${unit}`
  const range =
    min !== undefined && max !== undefined
      ? ` from ${min} to ${max}`
      : min !== undefined
        ? `, ${min} or more`
        : max !== undefined
          ? `, ${max} or less`
          : ''
  switch (inputTypeOf(declaration)) {
    case 'integer':
      return `A whole number${counted}${range}`
    case 'number':
      return `A number${counted}${range}`
    case 'duration':
      return 'A length of time such as 90s, 5m or 1h'
    default:
      return ''
  }
}

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' .\n\t'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
