import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import { isOffline } from './failure.ts'
import { usePanel } from './panel.ts'

/** Why what a form was to do failed, as an error or a text; `''` where it did not. What is over goes away by itself. */
export function useFailure(): Signal<unknown> {
  const { answers } = usePanel()
  const failure = useSignal<unknown>('')
  useSignalEffect(() => {
    if (answers.value > 0 && isOffline(failure.peek())) failure.value = ''
  })
  return failure
}
