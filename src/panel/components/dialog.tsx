import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusedElement } from '../data/surface.ts'
import { IconButton } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** The buttons below. */
  readonly actions?: ComponentChildren
  readonly width?: 'narrow' | 'wide'
}

/**
 * A dialog over the page. Draw it to open it. It keeps the focus, closes on Escape, and gives the focus back.
 * @example {isOpen.value && <Dialog title="New world" onClose={close}>…</Dialog>}
 */
export function Dialog({ title, onClose, children, actions, width = 'narrow' }: DialogProps) {
  const modal = useModal(onClose)
  const id = useId()
  return (
    <dialog {...modal} class={`dialog dialog-${width}`} aria-labelledby={id}>
      <div class="dialog-box">
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
 * Returns the attributes of a dialog that shows over the page as soon as it is drawn. Escape and a click beside it call `onClose`.
 * It gives the focus back as it goes, so that the next key finds it.
 */
export function useModal(onClose: () => void) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = focusedElement()
    const dialog = element.current!
    dialog.showModal()
    return () => {
      // A modal dialog keeps the focus.
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
