import { Button } from '../../components/index.ts'

interface ScopeChoicesProps {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function ScopeChoices({ all, chosen, onChange }: ScopeChoicesProps) {
  const toggle = (scope: string) =>
    onChange(all.filter((one) => (one === scope ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <fieldset class="field">
      <legend class="field-title">Scopes</legend>
      <div class="account-scopes">
        {all.map((scope) => (
          <label key={scope} class="choice line">
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </div>
      <div class="row account-scope-sets">
        <Button kind="quiet" onClick={() => onChange(all)}>
          All
        </Button>
        <Button kind="quiet" onClick={() => onChange(all.filter((scope) => scope.endsWith(':read')))}>
          Read-only
        </Button>
        <Button kind="quiet" onClick={() => onChange([])}>
          None
        </Button>
      </div>
    </fieldset>
  )
}
