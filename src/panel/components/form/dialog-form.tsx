import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { FormDraft } from '../../data/draft.ts'
import { useFailure } from '../../data/use-failure.ts'
import { Button, type ButtonProps } from '../button.tsx'
import { Dialog, type DialogProps } from '../dialog.tsx'
import { FormFailure } from './field.tsx'

interface DialogFormProps extends Pick<DialogProps, 'title' | 'width' | 'onClose' | 'children'> {
  readonly action: string
  readonly icon?: ButtonProps['icon']
  readonly disabled?: boolean
  readonly onSubmit: () => Promise<void>
  readonly draft: FormDraft
  readonly failure?: Signal<unknown>
  readonly foot?: ComponentChildren
}

export function DialogForm(props: DialogFormProps) {
  const { action, icon, disabled = false, onSubmit, draft, foot, children, ...dialog } = props
  const own = useFailure()
  const failure = props.failure ?? own
  const { isBusy, submit } = useSubmit(failure, onSubmit)
  const cancel = () => {
    draft.forget()
    dialog.onClose()
  }
  return (
    <Dialog {...dialog}>
      <form class="form" noValidate onSubmit={submit}>
        <FormFailure of={failure} />
        {children}
        <div class="row">
          {foot}
          <span class="spacer" />
          <Button onClick={cancel}>Cancel</Button>
          <Button kind="primary" type="submit" icon={icon} disabled={disabled || isBusy.value}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function useSubmit(failure: Signal<unknown>, work: (event: Event) => unknown) {
  const isBusy = useSignal(false)
  const run = async (event: Event) => {
    isBusy.value = true
    failure.value = ''
    try {
      await work(event)
    } catch (error) {
      failure.value = error
    } finally {
      isBusy.value = false
    }
  }
  return {
    isBusy,
    submit(event: Event) {
      event.preventDefault()
      if (!isBusy.peek()) void run(event)
    },
  }
}
