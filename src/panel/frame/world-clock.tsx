import { toIso } from '../../core/time/time-text.ts'
import { Badge, Button, IconButton, toast } from '../components/index.ts'
import { usePanel } from '../data/panel.ts'
import type { ClockChange } from '../data/shapes.ts'

const steps = [
  ['+1m', '1m', '1 minute'],
  ['+1h', '1h', '1 hour'],
  ['+1d', '1d', '1 day'],
] as const

export function WorldClockView() {
  const { world } = usePanel()
  const now = world.now.value
  const clock = world.clock.value
  if (now === undefined || !clock) return <div class="clock line muted">no clock yet</div>
  const change = (wanted: ClockChange) => world.changeClock(world.name.peek(), wanted)
  const text = toIso(now)
  return (
    <div class="clock line" role="group" aria-label="The world's clock">
      <time dateTime={text} title={`${text}, the clock of the world ${world.name.value}`} class="clock-time">
        <span class="clock-date muted">{text.slice(0, 10)} </span>
        {text.slice(11, 19)} <span class="clock-zone muted">UTC</span>
      </time>
      <Badge tone={clock.frozen ? 'note' : 'good'}>{clock.frozen ? 'frozen' : 'runs'}</Badge>
      <IconButton
        icon={clock.frozen ? 'play' : 'pause'}
        label={clock.frozen ? 'Let the clock run' : 'Freeze the clock'}
        onClick={() => change({ frozen: !clock.frozen })}
      />
      {steps.map(([title, advance, words]) => (
        <Button
          key={advance}
          kind="quiet"
          label={`${title}: advance the clock by ${words}`}
          title={`Advance the clock by ${words}`}
          onClick={async () => {
            await change({ advance })
            toast({ text: `Advanced the clock by ${words}` })
          }}
        >
          {title}
        </Button>
      ))}
    </div>
  )
}
