import { useSignal } from '@preact/signals'
import { keyIn } from '../../../core/http/client-url.ts'
import { Button, CopyButton, Dialog, DialogForm } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import type { AccountSummary } from '../../data/shapes.ts'
import { ExpiryField, readExpiry } from './expiry.tsx'
import { ScopeChoices } from './scopes.tsx'

interface NewKeyProps {
  readonly account: AccountSummary
  readonly onClose: () => void
}

export function NewKeyForm({ account: { id: account, scopes: all }, onClose }: NewKeyProps) {
  const { api, world } = usePanel()
  const draft = useDraft(`new key ${account}`)
  const scopes = draft.part('scopes', all)
  const expiry = draft.part('expiry', '')
  const mistake = useSignal<string | undefined>(undefined)
  const secret = useSignal<string | undefined>(undefined)
  const create = async () => {
    const expires_at = readExpiry(expiry.peek(), mistake)
    if (expires_at === undefined) return
    const isAll = scopes.peek().length === all.length
    const made = await api.createKey(world.name.peek(), {
      account,
      ...(!isAll && { scopes: scopes.peek() }),
      ...(expires_at !== null && { expires_at }),
    })
    draft.forget()
    secret.value = made.secret
  }
  if (secret.value !== undefined) return <CreatedKey secret={secret.value} account={account} onClose={onClose} />
  return (
    <DialogForm title={`Create a key for ${account}`} action="Create" onSubmit={create} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} chosen={scopes.value} onChange={(chosen) => (scopes.value = chosen)} />
      <ExpiryField of={expiry} error={mistake.value} />
    </DialogForm>
  )
}

interface CreatedKeyProps {
  readonly secret: string
  readonly account: string
  readonly onClose: () => void
}

function CreatedKey({ secret, account, onClose }: CreatedKeyProps) {
  const world = usePanel().world.name.value
  const whole = keyIn(world, secret)
  return (
    <Dialog
      title={`The new key for ${account}`}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Copy it now: it is shown only once.</p>
      <p class="row account-secret">
        <code class="code-inline">{whole}</code>
        <CopyButton text={whole} what="the key">
          Copy
        </CopyButton>
      </p>
      {whole !== secret && <p class="muted">The part after the @ names the world.</p>}
    </Dialog>
  )
}
