import { useSignal } from '@preact/signals'
import { DialogForm, toast } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary } from '../../data/shapes.ts'
import { ExpiryField, toExpiry } from './expiry.tsx'

export interface EditExpiryProps {
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
    mistake.value = undefined
    let expires_at: string | null
    try {
      expires_at = toExpiry(text.peek())
    } catch (error) {
      mistake.value = (error as Error).message
      return
    }
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
