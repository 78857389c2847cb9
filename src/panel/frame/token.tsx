import { useSignal } from '@preact/signals'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { bound, Form, TextField } from '../components/form/form.tsx'
import { keepToken, token } from '../data/kept.ts'
import { usePanel } from '../data/panel.ts'

/** Asks for the token of the server. Where it was closed, a line at the bottom leads back to it. */
export function TokenDialog() {
  const { live } = usePanel()
  const given = useSignal('')
  const isClosed = useSignal(false)
  const isChecking = useSignal(false)
  const connection = live.connection.value
  if (connection !== 'needs-token' && !(isChecking.value && connection === 'connecting')) return null
  if (isClosed.value)
    return (
      <div class="banner row" role="alert">
        <span>This server has a token, so the panel is locked.</span>
        <Button onClick={() => (isClosed.value = false)} text="Enter the token" />
      </div>
    )
  const enter = () => {
    keepToken(given.value)
    isChecking.value = true
    live.follow()
  }
  const isWrong = token.value !== '' && connection === 'needs-token'
  return (
    <Dialog title="This server has a token" onClose={() => (isClosed.value = true)}>
      <Form action="Enter" disabled={given.value === ''} onSubmit={enter}>
        <TextField
          title="Token"
          isRequired
          hint="The value of the server's --token. This tab keeps it until you close it."
          error={isWrong ? 'This token is wrong: the server rejects it.' : undefined}
          isSecret
          autofocus
          {...bound(given)}
        />
      </Form>
    </Dialog>
  )
}
