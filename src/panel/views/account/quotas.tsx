import { Button, QuotaMeter, toast, useActions } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { quotasOf } from '../../data/api.ts'
import type { AccountSummary } from '../../data/shapes.ts'

export interface AccountProps {
  readonly account: AccountSummary
  readonly reload: () => void
}

export function AccountQuotas({ account, reload }: AccountProps) {
  const { api, world } = usePanel()
  const { id } = account
  const quotas = quotasOf(account)
  const refill = async (window?: 'minute' | 'day') => {
    await api.refill(world.name.peek(), id, window)
    reload()
    toast({ text: `Refilled ${window ? `the ${window} of ` : ''}${id}` })
  }
  useActions(
    [{ id: 'account:refill', title: `Refill the quota of ${id}`, keywords: 'account limit rate', run: () => refill() }],
    [id],
  )
  return (
    <section class="section">
      <h2>Requests left</h2>
      {quotas.length === 0 && <p class="muted">Each key has a quota of its own, and this account has no key.</p>}
      {quotas.map(({ name, quota: { minute, day, scenario } }) => (
        <div key={name} class="account-quota">
          {name !== '' && <h3 class="mono">{name}</h3>}
          <div class="account-meters">
            <QuotaMeter label="Minute" quota={minute} reload={reload} />
            <QuotaMeter label="Day" quota={day} reload={reload} />
          </div>
          {scenario !== null && <p class="muted">By the scenario {scenario}.</p>}
        </div>
      ))}
      {quotas.length > 0 && (
        <div class="row">
          <Button icon="redo" onClick={() => refill()}>
            Refill
          </Button>
          <Button kind="quiet" onClick={() => refill('minute')}>
            only the minute
          </Button>
          <Button kind="quiet" onClick={() => refill('day')}>
            only the day
          </Button>
        </div>
      )}
    </section>
  )
}
