import type { ComponentChildren } from 'preact'
import { toCountText } from './words.ts'

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** Shown below: when it refills. */
  readonly note: ComponentChildren
}

/** Shows how much is left, as a bar and in numbers. The bar has a warning colour below a fifth. */
export function Meter({ label, value, max, note }: MeterProps) {
  const share = max <= 0 ? 0 : Math.max(0, Math.min(1, value / max))
  const level = share === 0 ? 'empty' : share < 0.2 ? 'low' : 'fine'
  const text = `${toCountText(value)} of ${toCountText(max)} left`
  return (
    <div>
      <div class="meter-head line">
        <span>{label}</span>
        <span class="muted">{text}</span>
      </div>
      <svg
        class={`meter-bar meter-${level}`}
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        aria-valuetext={text}
      >
        <rect class="meter-back" width="100" height="6" />
        <rect class="meter-fill" width={share * 100} height="6" />
      </svg>
      {note && <div class="muted small">{note}</div>}
    </div>
  )
}
