import { Hint } from '../../components/content.tsx'
import { isSame, mapFields } from '../../../core/text/values.ts'
import { Button } from '../../components/controls.tsx'
import type { FormField } from '../../components/form/draft.ts'
import { Form } from '../../components/form/form.tsx'
import { SchemaInput } from '../../components/form/schema-form.tsx'
import type { ActiveEntry } from '../../data/choice.ts'
import {
  readRecords,
  type OptionDeclaration,
  type RecordValue,
  type ScenarioSummary,
  type Texts,
} from '../../data/control.ts'
import { usePanel, useResource } from '../../data/panel.ts'

type Declarations = Readonly<Record<string, OptionDeclaration>>

/**
 * The conditions that can narrow a scenario, if its file does not declare an option of the name.
 */
const narrowingOptions: Declarations = {
  on: {
    description: 'Which operations, an id or a glob such as plants.*',
    default: '*',
  },
  account: {
    description: 'Which account',
    default: 'any',
  },
  key: {
    description: 'Which key',
    default: 'any',
  },
  plan: {
    description: 'Which plan',
    default: 'any',
  },
  times: {
    description: 'How many times at most; 0 for no limit',
    type: 'integer',
    min: 0,
    default: 0,
  },
}

export function optionsOf(scenario: ScenarioSummary): Declarations {
  const { conditions, options } = scenario
  const narrowing = Object.entries(narrowingOptions).filter(([name]) =>
    conditions.some((one) => one === name),
  )
  return { ...Object.fromEntries(narrowing), ...options }
}

export function activeTexts(scenario: ScenarioSummary, active: ActiveEntry | undefined): Texts {
  const chosen: RecordValue = active?.choice ?? {}
  return mapFields(optionsOf(scenario), (option, name) => String(chosen[name] ?? option.default))
}

export function toScenarioChoice(
  scenario: ScenarioSummary,
  texts: Texts,
): { name: string } & Texts {
  const options = optionsOf(scenario)
  const changed = Object.entries(texts).filter(
    ([option, text]) => text !== String(options[option]?.default),
  )
  return {
    name: scenario.name,
    ...Object.fromEntries(changed),
  }
}

interface OptionsFormProps {
  scenario: ScenarioSummary
  texts: Texts
  inForce: Texts
  isOn: boolean
  onChange: (texts: Texts) => void
  onSubmit: () => Promise<void>
}

const whenNames = [
  'on',
  'account',
  'key',
  'plan',
  'after',
  'every',
  'times',
  'failures',
  'probability',
]

export function OptionsForm({
  scenario,
  texts,
  inForce,
  isOn,
  onChange,
  onSubmit,
}: OptionsFormProps) {
  const all = optionsOf(scenario)
  const suggested = useSuggestions()
  const entries = Object.entries(all)
  const defaults = activeTexts(scenario, undefined)
  const isChanged = !isSame(texts, inForce)
  const defaultOf = (name: string) => {
    if (texts[name] === defaults[name]) return ''
    return `Default: ${defaults[name] || 'empty'}`
  }
  return (
    <Form
      label="Options"
      action={isOn ? 'Apply' : 'Switch on'}
      disabled={isOn && !isChanged}
      onSubmit={onSubmit}
      more={() => (
        <>
          {isOn && isChanged && <Button onClick={() => onChange(inForce)} text="Discard" />}
          {!isSame(texts, defaults) && (
            <Button kind="quiet" onClick={() => onChange(defaults)} text="Fill in the defaults" />
          )}
        </>
      )}
    >
      {inParts(entries).map(
        ([title, options]) =>
          options.length > 0 && (
            <fieldset key={title} class="columns scenario-part">
              <legend>{title}</legend>
              {options.map(([name, option]) => (
                <SchemaInput
                  key={name}
                  field={toField(name, option, suggested[name], defaultOf(name))}
                  text={texts[name] ?? ''}
                  suggested={suggested[name]}
                  onType={(text) => onChange({ ...texts, [name]: text })}
                />
              ))}
            </fieldset>
          ),
      )}
      {entries.length === 0 && <Hint text="It has no options." />}
    </Form>
  )
}

function inParts<T>(options: readonly [name: string, option: T][]) {
  const isWhen = ([name]: readonly [string, T]) => whenNames.includes(name)
  const place = ([name]: readonly [string, T]) => whenNames.indexOf(name)
  return Object.entries({
    'What it does': options.filter((one) => !isWhen(one)),
    'When, and for whom': options.filter(isWhen).sort((one, other) => place(one) - place(other)),
  })
}

function toField(
  name: string,
  option: OptionDeclaration,
  suggested: readonly string[] | undefined,
  note: string,
): FormField {
  const type = option.type ?? typeof option.default
  const hint = toHint(option, type, note)
  const shared = {
    name,
    title: name,
    hint,
    isRequired: true,
    isNullable: false,
    schema: {},
  }
  // An operation may also be a glob.
  const choices = name === 'on' ? undefined : suggested
  const values = option.values ?? (type === 'boolean' ? [true, false] : choices)
  if (values)
    return {
      ...shared,
      kind: 'choice',
      values,
    }
  return {
    ...shared,
    kind: type === 'integer' || type === 'number' ? type : 'text',
  }
}

function useSuggestions(): Readonly<Record<string, readonly string[]>> {
  const { control } = usePanel()
  const read = async () => {
    const [operations, start, accounts, collections] = await Promise.all([
      control.call('GET /operations'),
      control.call('GET /start'),
      readRecords(control, 'accounts'),
      control.call('GET /collections'),
    ])
    const plans =
      collections.data.find(({ name }) => name === 'accounts')?.schema.properties?.['plan']?.enum ??
      []
    const ids = operations.data.map(({ id }) => id as string)
    return {
      on: ['*', ...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('.')) + '.*')), ...ids],
      key: ['any', ...Object.keys(start.keys)],
      account: ['any', ...accounts.data.map(({ id }) => String(id))],
      plan: ['any', ...plans.map(String)],
    }
  }
  return useResource(read, [], ['records']).value ?? {}
}

function toHint(option: OptionDeclaration, type: string, fallback: string): string {
  return [option.description ?? '', describeKind(option, type), fallback]
    .filter((part) => part !== '')
    .map((part) => part.trimEnd().replace(/\.$/, ''))
    .join('. ')
}

function describeKind({ values, unit, min, max }: OptionDeclaration, type: string): string {
  if (values) return ''
  if (type === 'duration') return 'A length of time such as 90s, 5m or 1h'
  if (type !== 'integer' && type !== 'number') return ''
  const range = [
    min !== undefined && `${min} or more`,
    max !== undefined && `${max} or less`,
  ].filter(Boolean)
  const what = `${type === 'integer' ? 'A whole number' : 'A number'}${unit ? ` of ${unit}` : ''}`
  return [what, range.join(' and ')].filter(Boolean).join(', ')
}
