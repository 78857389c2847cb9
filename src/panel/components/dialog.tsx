import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from './controls.tsx'
import { focusedElement } from '../data/surface.ts'

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
          <IconButton icon="close" label="Close" onClick={onClose} />
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

interface Question {
  readonly title: string
  readonly text: string
  readonly action: string
}

const asked = signal<(Question & { readonly answer: (yes: boolean) => void }) | undefined>(undefined)

export function confirmed(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined
        resolve(yes)
      },
    }
  })
}

export function forgetQuestion(): void {
  asked.peek()?.answer(false)
}

export function Confirmations() {
  const question = asked.value
  if (!question) return null
  const { title, text, action, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)} text="Cancel" />
          <Button kind="danger" onClick={() => answer(true)} text={action} />
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
