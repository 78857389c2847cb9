import { Button, Link, toast } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary, Start } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'

export function FirstSteps({ start, keys }: { readonly start: Start; readonly keys: readonly KeySummary[] }) {
  const panel = usePanel()
  const { transport, world } = panel
  const name = world.name.value
  const working = keys.filter(
    (one) => one.name !== null && one.plan !== null && !one.revoked && one.expires_at === null,
  )
  const { name: key, plan } = working.find((one) => one.name === 'key_free') ?? working[0] ?? {}
  if (!key || !plan || !start.areas.includes('apps')) return null
  const title = plan[0]!.toUpperCase() + plan.slice(1).replace('_', ' ')
  const send = async () => {
    const response = await transport.apiFetch('/v1/apps?limit=3', {
      headers: { authorization: `Bearer ${key}`, 'x-greenhouse-world': name },
    })
    toast({ text: `GET /v1/apps was answered with ${response.status}` })
  }
  const spend = () =>
    switchOn(
      panel,
      { name: 'rate-limited-plan', plan },
      `The quota of the plan ${title} is spent: its next request gets 429.`,
    )
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
          <Button onClick={spend}>Spend the quota of {title}</Button>
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
