import { signal } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import { Icon } from './marks.tsx'
import { usePanel } from '../data/panel.ts'
import { isOffline, toMessage } from '../data/control.ts'

interface Toast {
  readonly text: string
  readonly kind?: 'done' | 'failed'
  readonly isOffline?: boolean
  readonly world?: string
  readonly undo?: () => void | Promise<void>
}

const shown = signal<readonly (Toast & { readonly id: number })[]>([])
let last = 0
let shownWorld: string | undefined

/** The time that a message stays, in milliseconds; longer for undo and failures. */
const stay = { short: 4_000, long: 10_000 }

export function toast(message: Toast): void {
  const id = ++last
  shown.value = [...shown.value.slice(-3), { world: shownWorld, ...message, id }]
  after(message.undo || message.kind === 'failed' ? stay.long : stay.short, () => dismiss(id))
}

export function toastFailure(error: unknown): void {
  toast({ text: toMessage(error), kind: 'failed', isOffline: isOffline(error) })
}

/** Awaits `work` and returns its result; if it fails, shows a message and returns `undefined`. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    toastFailure(error)
    return undefined
  }
}

export function forgetUndos(of?: string): void {
  shown.value = shown.value.filter(({ undo, world }) => !undo || (of !== undefined && world !== of))
}

export function forgetOffline(): void {
  if (shown.peek().some(({ isOffline }) => isOffline)) shown.value = shown.peek().filter(({ isOffline }) => !isOffline)
}

export function undoLast(): boolean {
  const last = shown.peek().findLast(({ undo }) => undo !== undefined)
  if (!last) return false
  dismiss(last.id)
  void attempt(async () => last.undo!())
  return true
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id)
}

export function Toasts() {
  const here = usePanel().world.name.value
  shownWorld = here
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, kind, undo, world }) => (
        <div class={`toast line ${kind === 'failed' ? 'toast-failed' : ''}`} key={id}>
          <Icon name={kind === 'failed' ? 'close' : 'check'} />
          <span>{text}</span>
          {undo && world !== here && <span class="muted">in the world {world}</span>}
          {undo && (
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                dismiss(id)
                void attempt(async () => undo())
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
