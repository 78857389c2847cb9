import { useSignal, type Signal } from '@preact/signals'

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
