import { Duration, toBytesText } from '../../components/index.ts'
import type { JournalEntry } from '../../data/shapes.ts'

/** The time of the request on the world's clock, and the duration of the reply, delays included. */
export function Timing({
  entry: { at, ms, bytes, pending, aborted, verdicts = [] },
}: {
  readonly entry: JournalEntry
}) {
  const delays = verdicts.filter(({ fired, effect }) => fired && effect.startsWith('fault.'))
  return (
    <dl class="traffic-headers">
      <div>
        <dt>Received at</dt>
        <dd>{at}</dd>
      </div>
      <div>
        <dt>{pending ? 'Took so far' : 'Took'}</dt>
        <dd>
          <Duration ms={ms} />
        </dd>
      </div>
      <div>
        <dt>Sent</dt>
        <dd>{bytes === undefined ? 'nothing yet' : toBytesText(bytes)}</dd>
      </div>
      <div>
        <dt>Ended</dt>
        <dd>
          {pending ? 'not yet' : aborted ? 'early: the connection was cut, or the client disconnected' : 'complete'}
        </dd>
      </div>
      {delays.map(({ scenario, effect, why }) => (
        <div key={scenario + effect}>
          <dt>{scenario}</dt>
          <dd>
            {effect}: {why}
          </dd>
        </div>
      ))}
    </dl>
  )
}
