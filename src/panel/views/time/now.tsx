import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { after, systemNow } from '../../../core/time/clock.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { Badge, Button, toDurationText } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { ClockChange } from '../../data/shapes.ts'
import { MoveForm } from './move-form.tsx'

const presets = [
  ['10s', '10 s'],
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['30m', '30 min'],
  ['1h', '1 h'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

const alike = 2_000

export function Now({ onMove }: { readonly onMove: (change: ClockChange) => Promise<void> }) {
  const { world } = usePanel()
  const now = world.now.value
  const clock = world.clock.value
  const isFrozen = clock?.frozen === true
  // While the clock is frozen, this machine's time moves away from it.
  const ticks = useSignal(0)
  useEffect(() => (isFrozen ? after(1_000, () => ticks.value++) : undefined), [isFrozen, ticks.value])
  if (now === undefined || !clock) return null
  const shown = toIso(now)
  const off = now - systemNow()
  const freeze = (frozen: boolean) => world.changeClock(world.name.peek(), { frozen })
  return (
    <section class="section" aria-label="The clock">
      <div class="time-now row">
        <time dateTime={shown} title={shown}>
          {shown.slice(0, 10)} <b>{shown.slice(11, 19)}</b> UTC
        </time>
        <Badge tone={clock.frozen ? 'note' : 'good'}>{clock.frozen ? 'frozen' : 'runs'}</Badge>
        <Button icon={clock.frozen ? 'play' : 'freeze'} onClick={() => freeze(!clock.frozen)}>
          {clock.frozen ? 'Let it run' : 'Freeze'}
        </Button>
        <span class="muted">
          {Math.abs(off) < alike
            ? 'the same as this machine'
            : `${toDurationText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} this machine`}
        </span>
        {Math.abs(off) >= alike && (
          <Button kind="quiet" onClick={() => onMove({ now: toIso(systemNow()) })}>
            Set to this machine’s time
          </Button>
        )}
      </div>
      <div class="time-presets row" role="group" aria-label="Advance the clock">
        <span class="muted">Advance</span>
        {presets.map(([advance, words]) => (
          <Button key={advance} label={`Advance the clock by ${words}`} onClick={() => onMove({ advance })}>
            +{words}
          </Button>
        ))}
      </div>
      <div class="time-forms">
        <MoveForm
          title="Advance by"
          hint="A duration: ms, s, m, h, d. What falls due on the way happens in order."
          placeholder="90m"
          action="Advance"
          onSubmit={(advance) => onMove({ advance })}
        />
        <MoveForm
          title="Set to"
          hint="ISO 8601. Going back in time undoes nothing, and refills no quota."
          placeholder={toIso(toTimestamp(shown) + 86_400_000).slice(0, 10) + 'T09:00:00Z'}
          action="Set"
          onSubmit={(at) => onMove({ now: at })}
        />
      </div>
    </section>
  )
}
