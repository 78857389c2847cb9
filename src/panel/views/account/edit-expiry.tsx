import { useSignal } from '@preact/signals'
import { DialogForm, toast } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary } from '../../data/shapes.ts'
import { ExpiryField, readExpiry } from './expiry.tsx'

interface EditExpiryProps {
  readonly apiKey: KeySummary
  readonly onClose: () => void
}

export function EditExpiry({ apiKey, onClose }: EditExpiryProps) {
  const { api, world } = usePanel()
  const { id, name, expires_at: before } = apiKey
  const draft = useDraft(`expiry ${id}`)
  const text = draft.part('text', before ?? '')
  const mistake = useSignal<string | undefined>(undefined)
  const save = async () => {
    const expires_at = readExpiry(text.peek(), mistake)
    if (expires_at === undefined) return
    const shown = world.name.peek()
    await api.changeKey(shown, id, { expires_at })
    draft.forget()
    onClose()
    toast({
      text: `Changed when ${name ?? id} expires`,
      undo: async () => void (await api.changeKey(shown, id, { expires_at: before })),
    })
  }
  return (
    <DialogForm title={`Expiry of ${name ?? id}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ExpiryField of={text} error={mistake.value} />
    </DialogForm>
  )
}
