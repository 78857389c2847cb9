import { useEffect } from 'preact/hooks'
import { toTimestamp } from '../../core/time/time-text.ts'
import { usePanel } from '../data/panel.ts'
import type { QuotaWindow } from '../data/shapes.ts'
import { RelativeTime } from './time.tsx'
import { toCountText } from './words.ts'

interface QuotaMeterProps {
  readonly label: string
  readonly quota: QuotaWindow
  readonly reload: () => void
}

export function QuotaMeter({ label, quota: { limit, used, remaining, resets_at }, reload }: QuotaMeterProps) {
  const now = usePanel().world.now.value ?? 0
  const isOver = used > 0 && now >= toTimestamp(resets_at)
  // No event reports the end of a window, so reload every second until the server's clock has passed the end too.
  const second = isOver ? Math.floor(now / 1_000) : 0
  useEffect(() => {
    if (second > 0) reload()
  }, [second])
  const share = limit <= 0 ? 0 : Math.max(0, Math.min(1, remaining / limit))
  const level = share === 0 ? 'empty' : share < 0.2 ? 'low' : 'fine'
  const text = `${toCountText(remaining)} of ${toCountText(limit)} left`
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
        aria-valuemax={limit}
        aria-valuenow={remaining}
        aria-valuetext={text}
      >
        <rect class="meter-back" width="100" height="6" />
        <rect class="meter-fill" width={share * 100} height="6" />
      </svg>
      <div class="muted small">
        {used === 0 ? (
          'full'
        ) : (
          <>
            {used} used, refills <RelativeTime at={resets_at} />
          </>
        )}
      </div>
    </div>
  )
}
