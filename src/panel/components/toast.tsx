import { signal } from '@preact/signals'
import type { ControlApi } from '../../control/client/control-api.ts'
import { after } from '../../core/time/clock.ts'
import { CallError } from '../../control/client/errors.ts'
import { isOffline, explainError } from '../data/control.ts'
import type { MadeChange, Panel } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'

interface ToastOptions {
  hasFailed?: boolean
  isOffline?: boolean
  world?: string
  undo?: () => void | Promise<void>
  undoTitle?: string
}

interface Toast extends ToastOptions {
  id: number
  text: string
}

export const toasts = signal<readonly Toast[]>([])
let last = 0

/**
 * What can be undone, the last change at the end; longer than its message stays. As many as the
 * server keeps: `maxKeptChanges` of `core/world/snapshot.ts`.
 */
let undos: readonly Toast[] = []
const maxUndos = 20

/** The time that a message stays, in milliseconds; longer for undo and failures. */
const stay = {
  short: 4_000,
  long: 10_000,
}

export function toast(text: string, options: ToastOptions = {}) {
  const id = ++last
  const one = {
    ...options,
    text,
    id,
  }
  toasts.value = [...toasts.value.slice(-3), one]
  if (one.undo && !one.hasFailed) undos = [...undos, one].slice(-maxUndos)
  after(one.undo || one.hasFailed ? stay.long : stay.short, () => dismiss(id))
}

export async function change<T>(
  panel: Panel,
  text: string,
  work: (control: ControlApi) => Promise<T>,
): Promise<T> {
  const { answer, made } = await panel.track(work)
  toast(
    text,
    made && {
      world: made.world,
      undo: () => takeBack(panel, made),
    },
  )
  return answer
}

/**
 * If something changed since, it offers to go back to the state before, which the server keeps as a
 * snapshot.
 */
async function takeBack(panel: Panel, made: MadeChange) {
  const { world, change: snapshot } = made
  try {
    await panel.control.call('POST /worlds/{world}/undo', made)
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'changed_since')) throw error
    const goBack = () => change(panel, 'Went back', (control) => restore(control, world, snapshot))
    toast(error.message, {
      hasFailed: true,
      world,
      undo: () => void attempt(goBack),
      undoTitle: 'Go back anyway',
    })
  }
}

export function restore(control: ControlApi, world: string, snapshot: string) {
  return control.call('POST /worlds/{world}/snapshots/{snapshot}/restore', { world, snapshot })
}

export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    toast(explainError(error), {
      hasFailed: true,
      isOffline: isOffline(error),
    })
    return undefined
  }
}

export function forgetUndos(of?: string) {
  const isKept = ({ undo, world }: Toast) => !undo || (of !== undefined && world !== of)
  undos = undos.filter(isKept)
  toasts.value = toasts.value.filter(isKept)
}

export function forgetOffline() {
  toasts.value = toasts.peek().filter(({ isOffline }) => !isOffline)
}

export function undoLast() {
  const last = undos.at(-1)
  if (last) undo(last)
  else toast('There is nothing to undo any more')
}

export function undo(one: Toast) {
  undos = undos.filter((other) => other !== one)
  toasts.value = toasts.value.filter((other) => other !== one)
  void attempt(async () => one.undo?.())
}

export function dismiss(id: number) {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

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

export function downloadText(file: string, text: string, type: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  after(10_000, () => URL.revokeObjectURL(url))
}

export async function copyText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // A page on a plain host name that is not this machine has no clipboard, but may still copy a
  // selection.
  const area = document.createElement('textarea')
  area.value = text
  const root = surfaceRoot()
  const node = root.querySelector('dialog[open]') ?? root.querySelector('#panel')
  node?.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied)
    throw new Error('The browser does not let this page copy. Select the text instead.')
}
