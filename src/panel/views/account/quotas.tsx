import { useEffect } from 'preact/hooks'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Button, Meter, RelativeTime, toast, useActions } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { quotasOf } from '../../data/quotas.ts'
import type { AccountSummary, QuotaWindow } from '../../data/shapes.ts'

export interface AccountProps {
  readonly account: AccountSummary
  /** Reads the account again. */
  readonly reload: () => void
}

/** The quotas left of the plan, updated as requests arrive, with buttons that refill them. */
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
            <Window title="Minute" quota={minute} reload={reload} />
            <Window title="Day" quota={day} reload={reload} />
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

interface WindowProps {
  readonly title: string
  readonly quota: QuotaWindow
  readonly reload: () => void
}

function Window({ title, quota: { limit, used, remaining, resets_at }, reload }: WindowProps) {
  const now = usePanel().world.now.value ?? 0
  const isOver = used > 0 && now >= toTimestamp(resets_at)
  // No event reports the end of a window, so reload every second until the server's clock has passed the end too.
  const second = isOver ? Math.floor(now / 1_000) : 0
  useEffect(() => {
    if (second > 0) reload()
  }, [second])
  return (
    <Meter
      label={title}
      value={remaining}
      max={limit}
      note={
        used === 0 ? (
          'full'
        ) : (
          <>
            {used} used, refills <RelativeTime at={resets_at} />
          </>
        )
      }
    />
  )
}
