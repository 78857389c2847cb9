import { DialogForm, toast } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary } from '../../data/shapes.ts'
import { ScopeChoices } from './scopes.tsx'

interface EditScopesProps {
  readonly apiKey: KeySummary
  readonly all: readonly string[]
  readonly onClose: () => void
}

export function EditScopes({ apiKey, all, onClose }: EditScopesProps) {
  const { api, world } = usePanel()
  const { id, name, scopes: before } = apiKey
  const draft = useDraft(`scopes ${id}`)
  const scopes = draft.part<readonly string[]>('scopes', before)
  const shown = world.name.value
  const change = async (wanted: readonly string[]) => {
    // A key without `scopes` has every scope.
    const isAll = wanted.length === all.length
    await api.changeRecord(shown, 'keys', id, { scopes: isAll ? null : wanted })
  }
  const save = async () => {
    await change(scopes.peek())
    draft.forget()
    onClose()
    toast({ text: `Changed the scopes of ${name ?? id}`, undo: () => change(before) })
  }
  return (
    <DialogForm title={`Scopes of ${name ?? id}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} chosen={scopes.value} onChange={(chosen) => (scopes.value = chosen)} />
    </DialogForm>
  )
}
