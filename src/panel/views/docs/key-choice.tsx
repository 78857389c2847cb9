import { FieldRow } from '../../components/index.ts'
import type { KeySummary } from '../../data/shapes.ts'

/** What the choice is called where no key is sent, and where one is typed. */
export const noKey = ''
export const otherKey = '*'

export interface KeyChoiceProps {
  readonly keys: readonly KeySummary[]
  readonly chosen: string
  /** What is typed where the choice is another key. */
  readonly typed: string
  readonly onChoose: (name: string) => void
  readonly onType: (key: string) => void
}

/** The key that a request is sent with. */
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
            <option value={noKey}>none</option>
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
