import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button, CopyCode } from './controls.tsx'
import { focusedElement } from '../data/surface.ts'

export const openDialog = signal<'palette' | 'keys' | 'world' | undefined>(undefined)

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
  readonly width?: 'narrow' | 'wide'
}

export function Dialog({ title, onClose, children, actions, width = 'narrow' }: DialogProps) {
  const modal = useModal(onClose)
  const id = useId()
  return (
    <dialog {...modal} class={`dialog dialog-${width}`} aria-labelledby={id}>
      <div>
        <header class="dialog-head line">
          <h2 id={id}>{title}</h2>
          <Button icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {actions && <footer class="dialog-foot line">{actions}</footer>}
      </div>
    </dialog>
  )
}

/**
 * Returns the attributes of a dialog that is modal while it is mounted. Escape and a click next to it call `onClose`. When it
 * unmounts, the element that had the focus before gets it back.
 */
export function useModal(onClose: () => void) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = focusedElement()
    const dialog = element.current!
    dialog.showModal()
    return () => {
      // An open modal dialog would keep the focus.
      dialog.close()
      before?.focus()
    }
  }, [])
  return {
    ref: element,
    onCancel(event: Event) {
      event.preventDefault()
      onClose()
    },
    onClick: (event: Event) => event.target === element.current && onClose(),
  }
}

interface Asked {
  readonly title: string
  readonly content: ComponentChildren
  readonly action: string
  readonly isNews: boolean
  readonly answer: (yes: boolean) => void
}

const asked = signal<Asked | undefined>(undefined)

/** Asks before something is lost. The first word of the question says what its button does. */
export function confirmed(question: string, text: string): Promise<boolean> {
  return ask({ title: question, content: <p>{text}</p>, action: question.split(' ', 1)[0]!, isNews: false })
}

/** Shows a secret that nothing shows again. */
export async function showOnce({ title, secret }: { readonly title: string; readonly secret: string }): Promise<void> {
  const content = (
    <>
      <p class="below">Copy the key now: it is shown only once.</p>
      <CopyCode text={secret} what="the key" />
    </>
  )
  await ask({ title, content, action: 'Done', isNews: true })
}

function ask(question: Omit<Asked, 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      asked.value = undefined
      resolve(yes)
    }
    asked.value = { ...question, answer }
  })
}

export function forgetQuestion(): void {
  asked.peek()?.answer(false)
}

export function Confirmations() {
  if (!asked.value) return null
  const { title, content, action, isNews, answer } = asked.value
  const cancel = () => answer(false)
  return (
    <Dialog
      title={title}
      onClose={cancel}
      actions={
        <>
          {!isNews && <Button onClick={cancel} text="Cancel" />}
          <Button kind={isNews ? 'primary' : 'danger'} onClick={() => answer(true)} text={action} />
        </>
      }
    >
      {content}
    </Dialog>
  )
}
