import type { ReadonlySignal } from '@preact/signals'
import { toMessage } from '../../data/failure.ts'

export function FormFailure({ of }: { readonly of: ReadonlySignal<unknown> }) {
  return of.value === '' ? null : (
    <p class="callout callout-bad" role="alert">
      {toMessage(of.value)}
    </p>
  )
}
