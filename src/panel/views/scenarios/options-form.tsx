import { Button } from '../../components/index.ts'
import type { ScenarioSummary } from '../../data/shapes.ts'
import { OptionInput } from './option-input.tsx'
import { activeTexts, splitOptions, type Option, type OptionTexts } from './option-texts.ts'

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
