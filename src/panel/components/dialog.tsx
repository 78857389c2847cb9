import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusedElement } from '../data/surface.ts'
import { IconButton } from './button.tsx'

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
 * Returns the attributes of a dialog that is modal while it is mounted. Escape and a click beside it call `onClose`. When it
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
