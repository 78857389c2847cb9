import type { ComponentChildren, RefObject } from 'preact'
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
  const element = useModal()
  const id = useId()
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${width}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
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

/** Shows a dialog over the page as it is drawn. It gives the focus back as it goes, so that the next key finds it. */
export function useModal(): RefObject<HTMLDialogElement | null> {
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
  return element
}
