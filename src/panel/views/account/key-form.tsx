import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button, Dialog, FormFailure } from '../../components/index.ts'
import type { Draft } from '../../data/draft.ts'
import { useFailure } from '../../data/use-failure.ts'

export interface KeyFormProps {
  readonly title: string
  readonly action: string
  readonly onSubmit: () => Promise<void>
  /** Is forgotten when the form is sent or cancelled. */
  readonly draft: Draft
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form in a dialog that says why it failed. */
export function KeyForm({ title, action, onSubmit, draft, onClose, children }: KeyFormProps) {
  const failure = useFailure()
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    failure.value = ''
    try {
      await onSubmit()
    } catch (error) {
      failure.value = error
    }
    isBusy.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" noValidate onSubmit={(event) => void submit(event)}>
        <FormFailure of={failure} />
        {children}
        <div class="form-foot">
          <span class="spacer" />
          <Button
            onClick={() => {
              draft.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={isBusy.value}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
