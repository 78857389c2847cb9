import { useSignal } from '@preact/signals'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/form/field.tsx'
import { keepToken } from '../data/kept.ts'
import { usePanel } from '../data/panel.ts'

export function TokenDialog() {
  const { live, router } = usePanel()
  const given = useSignal('')
  const wasRejected = useSignal(false)
  if (live.connection.value !== 'needs-token') return null
  const enter = (event: Event) => {
    event.preventDefault()
    keepToken(given.value)
    wasRejected.value = true
    live.follow(router.world.peek())
  }
  return (
    <Dialog title="This server has a token" onClose={() => {}}>
      <form class="form" onSubmit={enter}>
        <TextField
          title="Token"
          isRequired
          hint="The value of the server's --token. This tab keeps it until you close it."
          error={wasRejected.value ? 'The server refused this token.' : undefined}
          isSecret
          autofocus
          of={given}
        />
        <div class="row">
          <span class="spacer" />
          <Button kind="primary" type="submit" disabled={given.value === ''} text="Enter" />
        </div>
      </form>
    </Dialog>
  )
}
