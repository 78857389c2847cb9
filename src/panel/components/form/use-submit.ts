import { useSignal, type ReadonlySignal, type Signal } from '@preact/signals'

/**
 * Returns what submits a form, and whether it is being submitted: a second submission meanwhile does nothing.
 * @param failure gets what `work` throws; cleared before.
 */
export function useSubmit(
  failure: Signal<unknown>,
  work: (event: Event) => unknown,
): { readonly isBusy: ReadonlySignal<boolean>; readonly submit: (event: Event) => void } {
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
    submit(event) {
      event.preventDefault()
      if (!isBusy.peek()) void run(event)
    },
  }
}
