import { Button, Link, toast } from '../../components/index.ts'
import { changeActive } from '../../data/active.ts'
import { usePanel } from '../../data/panel.ts'
import type { Start } from '../../data/shapes.ts'

/** Three steps to try first; each builds on the one before. They need app management, whose quota they spend. */
export function FirstSteps({ start }: { readonly start: Start }) {
  const panel = usePanel()
  const { transport, world } = panel
  const name = world.name.value
  const key = 'key_free' in start.keys ? 'key_free' : Object.keys(start.keys)[0]
  if (key === undefined || !start.areas.includes('apps')) return null
  const send = async () => {
    const response = await transport.apiFetch('/v1/apps?limit=3', {
      headers: { authorization: `Bearer ${key}`, 'x-greenhouse-world': name },
    })
    toast({ text: `GET /v1/apps was answered with ${response.status}` })
  }
  const spend = async () => {
    const undo = await changeActive(panel, (active) => [...active, { name: 'rate-limited-plan', plan: 'free' }])
    toast({ text: 'The quota of the plan Free is spent: its next request gets 429.', undo })
  }
  const advance = async () => {
    await world.changeClock(name, { advance: '1d' })
    toast({ text: 'The clock is a day later.' })
  }
  return (
    <section class="section">
      <h2>What to try first</h2>
      <ol class="overview-steps">
        <li>
          <Button onClick={send}>Send GET /v1/apps</Button>
          <p>
            Sends a request with {key} from this page. You see it in <Link to={{ view: 'traffic' }}>Traffic</Link>, like
            every request of your client.
          </p>
        </li>
        <li>
          <Button onClick={spend}>Spend the quota of Free</Button>
          <p>
            Switches on the scenario rate-limited-plan. Send the request again: it gets 429, and Traffic says why.{' '}
            <Link to={{ view: 'scenarios' }}>All scenarios</Link>
          </p>
        </li>
        <li>
          <Button onClick={advance}>Advance the clock by a day</Button>
          <p>
            The quota refills, and everything that is due by then happens.{' '}
            <Link to={{ view: 'time' }}>What is due next</Link>
          </p>
        </li>
      </ol>
    </section>
  )
}
