import { useSignal } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import { surfaceRoot } from '../data/surface.ts'
import { Icon } from './icon.tsx'
import { attempt, toast } from './toast.tsx'

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // A page on a plain host name that is not this machine has no clipboard, but may still copy a selection.
  const area = document.createElement('textarea')
  area.value = text
  const root = surfaceRoot()
  const node = root.querySelector('dialog[open]') ?? root.querySelector('#panel')!
  node.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser does not let this page copy. Select the text instead.')
}

export function copyWithToast(text: string, what: string): Promise<void> {
  return attempt(async () => {
    await copyText(text)
    toast({ text: `Copied ${what}` })
  })
}

export function CopyCode({ text, what = text }: { readonly text: string; readonly what?: string }) {
  return (
    <span class="pair">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}

interface CopyButtonProps {
  readonly text: string | (() => string)
  readonly what: string
  readonly children?: string
}

export function CopyButton({ text, what, children }: CopyButtonProps) {
  const isCopied = useSignal(false)
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text())
    isCopied.value = true
    after(1_500, () => (isCopied.value = false))
  }
  const label = isCopied.value ? `Copied ${what}` : `Copy ${what}`
  return (
    <button
      type="button"
      class={children === undefined ? 'icon-button' : 'button button-plain'}
      aria-label={label}
      title={label}
      onClick={() => void attempt(copy)}
    >
      <Icon name={isCopied.value ? 'check' : 'copy'} />
      {children !== undefined && <span>{isCopied.value ? 'Copied' : children}</span>}
    </button>
  )
}

export function CodeFrame({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code-frame">
      <pre class="code">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
