import { Badge, Fact, Facts, Link, RelativeTime, toCountText, type Tone } from '../../components/index.ts'
import type { AccountSummary } from '../../data/shapes.ts'

const tones: Readonly<Record<AccountSummary['subscription']['status'], Tone>> = {
  active: 'good',
  past_due: 'warning',
  canceled: 'gone',
}

export function Payments({ account: { id, credits, subscription } }: { readonly account: AccountSummary }) {
  const { status, plan, cancel_at_period_end, period_start, period_end, canceled_at, former_plan } = subscription
  return (
    <div class="account-money">
      <section class="section">
        <h2>Credits</h2>
        <Facts kind="account-facts">
          <Fact title="Balance">
            <strong>{toCountText(credits.balance)}</strong>
          </Fact>
          <Fact title="Purchased">{toCountText(credits.purchased)}</Fact>
          <Fact title="Spent">{toCountText(credits.spent)}</Fact>
        </Facts>
        <p class="row">
          <Link to={{ view: 'data', rest: ['credits', id] }}>Edit credits</Link>
          <Link to={{ view: 'data', rest: ['purchases'], params: { 'where.account': id } }}>Purchases</Link>
        </p>
      </section>
      <section class="section">
        <h2>Subscription</h2>
        <Facts kind="account-facts">
          <Fact title="Status">
            <Badge tone={tones[status]}>{status}</Badge>
          </Fact>
          <Fact title="Plan">
            {plan}
            {former_plan !== null && <span class="muted">, was {former_plan}</span>}
          </Fact>
          <Fact title="Period">
            <Day at={period_start} /> – <Day at={period_end} />
          </Fact>
          <Fact title={cancel_at_period_end ? 'Ends' : 'Renews'}>
            <RelativeTime at={period_end} />
          </Fact>
          {canceled_at !== null && (
            <Fact title="Canceled">
              <RelativeTime at={canceled_at} />
            </Fact>
          )}
        </Facts>
        <p class="row">
          <Link to={{ view: 'data', rest: ['subscriptions', id] }}>Edit the subscription</Link>
        </p>
      </section>
    </div>
  )
}

function Day({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {at.slice(0, 10)}
    </time>
  )
}
