import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import { isOffline } from './failure.ts'
import { usePanel } from './panel.ts'

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
