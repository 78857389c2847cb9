import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import { isOffline } from './failure.ts'
import { usePanel } from './panel.ts'

/** The least time to show it, in milliseconds, even if other calls succeed meanwhile. */
const stay = 2_000

/** Why what a form was to do failed, as an error or a text; `''` where it did not. What is over goes away by itself. */
export function useFailure(): Signal<unknown> {
  const { answers } = usePanel()
  const failure = useSignal<unknown>('')
  useSignalEffect(() => {
    const shown = answers.value > 0 && failure.peek()
    if (isOffline(shown)) after(stay, () => failure.peek() === shown && (failure.value = ''))
  })
  return failure
}
