import { after } from '../../core/time/clock.ts'
import { attempt, toast } from './toast.tsx'
import { surfaceRoot } from '../data/surface.ts'

export function chooseFile(accept: string): Promise<File | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
}

export function downloadText(file: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  after(10_000, () => URL.revokeObjectURL(url))
}

export async function copyText(text: string): Promise<void> {
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
