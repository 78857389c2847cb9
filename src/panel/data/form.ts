import { batch, computed, effect, type Signal, signal, useSignal, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { toJson } from '../../core/http/json.ts'
import { after } from '../../core/time/clock.ts'
import { isOffline } from './control.ts'
import { type Panel, usePanel } from './panel.ts'

/** The unsent contents of a form, which it shows again when it reopens: a signal for each member of `start`. */
export function useDraft<T extends object>(form: string, start: T) {
  const panel = usePanel()
  return useMemo(() => {
    const { drafts } = panel
    const key = draftKey(panel, form)
    const kept = drafts.get(key)
    const parts = Object.entries(start).map(([name, value]) => ({ name, value, of: signal(kept?.[name] ?? value) }))
    const typed = computed(() => Object.fromEntries(parts.map(({ name, of }) => [name, of.value])))
    const isKept = computed(() => toJson(typed.value) !== toJson(start))
    effect(() => void (isKept.value ? drafts.set(key, typed.value) : drafts.delete(key)))
    return {
      of: Object.fromEntries(parts.map(({ name, of }) => [name, of])) as {
        readonly [Name in keyof T]: Signal<T[Name]>
      },
      isKept,
      forget: () => batch(() => parts.forEach(({ of, value }) => (of.value = value))),
    }
  }, [form])
}

export function draftKey({ world }: Panel, form: string): string {
  return `${world.name.peek()} ${form}`
}

/** The minimum time that a failed connection is shown, in milliseconds, even if other calls succeed meanwhile. */
const stay = 2_000

/**
 * Returns what a form needs to do its work, which it does once at a time. `failure` is why that failed: an error, a text, or `''`.
 * A failed connection disappears when the server answers.
 */
export function useSubmit(work: (event: Event) => unknown) {
  const { answers } = usePanel()
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>('')
  useSignalEffect(() => {
    const shown = answers.value > 0 && failure.peek()
    if (isOffline(shown)) after(stay, () => failure.peek() === shown && (failure.value = ''))
  })
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
    failure,
    isBusy,
    submit(event: Event) {
      event.preventDefault()
      if (!isBusy.peek()) void run(event)
    },
  }
}
