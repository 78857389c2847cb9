import { Button } from '../../components/index.ts'
import type { KeySummary } from '../../data/shapes.ts'

type Scope = KeySummary['scopes'][number]

/** Every scope that a key can have. */
export const allScopes = [
  'apps:read',
  'apps:write',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
  'deployments:read',
  'deployments:write',
  'payments:read',
  'payments:write',
  'plants:read',
  'plants:write',
] as const satisfies readonly Scope[]

// Compile-time check that the list has every scope: a missing one is not `never`.
type Missing = Exclude<Scope, (typeof allScopes)[number]>
const isWhole: Missing extends never ? true : false = true
void isWhole

export interface ScopeChoicesProps {
  readonly chosen: readonly Scope[]
  readonly onChange: (chosen: readonly Scope[]) => void
}

/** Checkboxes for the scopes of a key. */
export function ScopeChoices({ chosen, onChange }: ScopeChoicesProps) {
  const toggle = (scope: Scope) =>
    onChange(allScopes.filter((one) => (one === scope ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <fieldset class="field">
      <legend class="field-title">Scopes</legend>
      <div class="account-scopes">
        {allScopes.map((scope) => (
          <label key={scope} class="choice">
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </div>
      <div class="row account-scope-sets">
        <Button kind="quiet" onClick={() => onChange(allScopes)}>
          All
        </Button>
        <Button kind="quiet" onClick={() => onChange(allScopes.filter((scope) => scope.endsWith(':read')))}>
          Read-only
        </Button>
        <Button kind="quiet" onClick={() => onChange([])}>
          None
        </Button>
      </div>
    </fieldset>
  )
}
