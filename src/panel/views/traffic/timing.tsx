import { Duration, Fact, Facts, toBytesText } from '../../components/index.ts'
import type { JournalEntry } from '../../data/shapes.ts'

export function Timing({ entry }: { readonly entry: JournalEntry }) {
  const { at, ms, bytes, pending, aborted, verdicts = [] } = entry
  const delays = verdicts.filter(({ fired, effect }) => fired && effect.startsWith('fault.'))
  return (
    <Facts kind="facts-headers">
      <Fact title="Received at">{at}</Fact>
      <Fact title={pending ? 'Took so far' : 'Took'}>
        <Duration ms={ms} />
      </Fact>
      <Fact title="Sent">{bytes === undefined ? 'nothing yet' : toBytesText(bytes)}</Fact>
      <Fact title="Ended">
        {pending ? 'not yet' : aborted ? 'early: the connection was cut, or the client disconnected' : 'complete'}
      </Fact>
      {delays.map(({ scenario, effect, why }) => (
        <Fact key={scenario + effect} title={scenario}>
          {effect}: {why}
        </Fact>
      ))}
    </Facts>
  )
}
