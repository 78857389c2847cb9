import type { Signal } from '@preact/signals'
import { SelectField, TextField } from '../../components/index.ts'
import type { KeySummary } from '../../data/shapes.ts'

export const noKeyChoice = ''
export const otherKey = '*'

interface KeyChoiceProps {
  readonly keys: readonly KeySummary[]
  readonly chosen: string
  readonly typed: Signal<string>
  readonly onChoose: (name: string) => void
}

export function KeyChoice({ keys, chosen, typed, onChoose }: KeyChoiceProps) {
  return (
    <div class="form">
      <SelectField
        title="Key"
        isRequired
        value={chosen}
        options={[
          ...keys.map(({ name, plan, revoked }) => ({
            value: name!,
            title: `${name} (${plan ?? 'no account'}${revoked ? ', revoked' : ''})`,
          })),
          { value: noKeyChoice, title: 'none' },
          { value: otherKey, title: 'another…' },
        ]}
        onChoose={onChoose}
      />
      {chosen === otherKey && <TextField title="Another key" isRequired kind="mono" of={typed} />}
    </div>
  )
}
