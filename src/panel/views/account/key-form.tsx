import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button, Dialog } from '../../components/index.ts'

export interface KeyFormProps {
  readonly title: string
  readonly action: string
  readonly onSubmit: () => Promise<void>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form in a dialog that says why it failed. */
export function KeyForm({ title, action, onSubmit, onClose, children }: KeyFormProps) {
  const failure = useSignal('')
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    failure.value = ''
    try {
      await onSubmit()
    } catch (error) {
      failure.value = (error as Error).message
    }
    isBusy.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" noValidate onSubmit={(event) => void submit(event)}>
        {failure.value !== '' && (
          <p class="form-failure" role="alert">
            {failure.value}
          </p>
        )}
        {children}
        <div class="form-foot">
          <span class="spacer" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isBusy.value}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
