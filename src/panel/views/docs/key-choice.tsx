import { FieldRow } from '../../components/index.ts'
import type { KeySummary } from '../../data/shapes.ts'

/** Values of the select: no key, and a typed key. */
export const noKeyChoice = ''
export const otherKey = '*'

export interface KeyChoiceProps {
  readonly keys: readonly KeySummary[]
  readonly chosen: string
  /** The typed key, if the choice is `otherKey`. */
  readonly typed: string
  readonly onChoose: (name: string) => void
  readonly onType: (key: string) => void
}

/** A select for the key of the request. */
export function KeyChoice({ keys, chosen, typed, onChoose, onType }: KeyChoiceProps) {
  return (
    <div class="docs-key">
      <FieldRow title="Key" isRequired>
        {(ids) => (
          <select {...ids} class="input" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
            {keys.map(({ name, plan, revoked }) => (
              <option key={name!} value={name!}>
                {[name, `(${plan ?? 'no account'}${revoked ? ', revoked' : ''})`].join(' ')}
              </option>
            ))}
            <option value={noKeyChoice}>none</option>
            <option value={otherKey}>another…</option>
          </select>
        )}
      </FieldRow>
      {chosen === otherKey && (
        <FieldRow title="Another key" isRequired>
          {(ids) => (
            <input
              {...ids}
              class="input mono"
              type="text"
              autocomplete="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => onType(event.currentTarget.value)}
            />
          )}
        </FieldRow>
      )}
    </div>
  )
}
