import { type Signal, signal, useSignal, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { toJson } from '../../core/http/json.ts'
import { after } from '../../core/time/clock.ts'
import { type FormDrafts, usePanel } from './panel.ts'
import { isOffline } from './control.ts'

/** The unsent contents of a form, which it shows again when it reopens. */
export interface FormDraft {
  part<T>(name: string, start: T): Signal<T>
  peek<T>(name: string): T | undefined
  isKept(): boolean
  forget(): void
}

export function useDraft(form: string): FormDraft {
  const { drafts, world } = usePanel()
  return useMemo(() => createDraft(drafts, `${world.name.peek()} ${form}`), [form])
}

function createDraft(drafts: FormDrafts, key: string): FormDraft {
  const kept = drafts.get(key) ?? new Map<string, unknown>()
  drafts.set(key, kept)
  const size = signal(kept.size)
  const parts = new Map<string, readonly [part: Signal, start: unknown]>()
  return {
    part<T>(name: string, start: T) {
      const known = parts.get(name)
      if (known) return known[0] as Signal<T>
      const made = signal(kept.has(name) ? (kept.get(name) as T) : start)
      parts.set(name, [made, start])
      const begun = toJson([start])
      made.subscribe((value) => {
        if (toJson([value]) === begun) kept.delete(name)
        else kept.set(name, value)
        size.value = kept.size
      })
      return made
    },
    peek: <T>(name: string) => kept.get(name) as T | undefined,
    // `size` is read only to subscribe. The map counts: another component may have changed parts of the same draft.
    isKept: () => size.value >= 0 && kept.size > 0,
    forget() {
      const all = [...parts.values()]
      parts.clear()
      for (const [part, start] of all) part.value = start
      kept.clear()
    },
  }
}

/** The minimum time that a failed connection is shown, in milliseconds, even if other calls succeed meanwhile. */
const stay = 2_000

/** Returns a signal for why a form failed: an error, a text, or `''`. A failed connection disappears when the server answers. */
export function useFailure(): Signal<unknown> {
  const { answers } = usePanel()
  const failure = useSignal<unknown>('')
  useSignalEffect(() => {
    const shown = answers.value > 0 && failure.peek()
    if (isOffline(shown)) after(stay, () => failure.peek() === shown && (failure.value = ''))
  })
  return failure
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
