import type { Signal } from '@preact/signals'
import { isTime, toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { Button, RelativeTime, TextField, type TextFieldProps } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'

/** Suggested times from now, in milliseconds. */
const lengths = [
  ['in 1 minute', 60_000],
  ['in 1 hour', 3_600_000],
  ['in 1 day', 86_400_000],
  ['in 30 days', 2_592_000_000],
] as const

export function readExpiry(text: string, mistake: Signal<string | undefined>): string | null | undefined {
  const trimmed = text.trim()
  const isValid = trimmed === '' || isTime(trimmed)
  mistake.value = isValid ? undefined : 'Write a time such as 2026-01-31T12:00:00Z, or nothing for never.'
  if (!isValid) return undefined
  return trimmed === '' ? null : toIso(toTimestamp(trimmed))
}

export function ExpiryField({ of, error }: Pick<TextFieldProps, 'of' | 'error'>) {
  const { now } = usePanel().world
  const isKnown = now.value !== undefined
  const text = of.value.trim()
  return (
    <div>
      <TextField
        title="Expires at"
        hint="ISO 8601, on the world's clock. Without it the key never expires."
        error={error}
        placeholder="never"
        of={of}
      />
      <div class="row">
        {lengths.map(([title, length]) => (
          <Button key={title} kind="quiet" disabled={!isKnown} onClick={() => (of.value = toIso(now.peek()! + length))}>
            {title}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => (of.value = '')}>
          never
        </Button>
        {isTime(text) && (
          <span class="muted">
            <RelativeTime at={toIso(toTimestamp(text))} />
          </span>
        )}
      </div>
    </div>
  )
}
