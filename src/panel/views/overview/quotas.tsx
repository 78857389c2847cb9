import { Fragment } from 'preact'
import { EmptyState, Link, Loaded, QuotaMeter } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { quotasOf } from '../../data/quotas.ts'
import { useResource } from '../../data/resource.ts'
import type { AccountSummary } from '../../data/shapes.ts'

export function OverviewQuotas() {
  const { api, world } = usePanel()
  const accounts = useResource(() => api.accounts(world.name.value), [], {
    reloadOn: ['request', 'clock', 'records', 'scenarios'],
  })
  return (
    <section class="section">
      <h2>What is left of the plans</h2>
      <Loaded resource={accounts} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="This world has no accounts">
              Fixture files can have them (accounts.yaml), or{' '}
              <Link to={{ view: 'data', rest: ['accounts'], params: { new: '*' } }}>add one here</Link>.
            </EmptyState>
          ) : (
            <div class="overview-quotas">
              {list.map((account) => (
                <Quota key={account.id} account={account} reload={accounts.reload} />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  )
}

function Quota({ account, reload }: { readonly account: AccountSummary; readonly reload: () => void }) {
  return (
    <div class="overview-quota">
      <h3>
        {account.id} <span class="muted">{account.plan}</span>
      </h3>
      {quotasOf(account).map(({ name, quota: { minute, day, scenario } }) => (
        <Fragment key={name}>
          {name !== '' && <p class="mono">{name}</p>}
          <QuotaMeter label="Minute" quota={minute} reload={reload} />
          <QuotaMeter label="Day" quota={day} reload={reload} />
          {scenario !== null && <p class="muted">by the scenario {scenario}</p>}
        </Fragment>
      ))}
    </div>
  )
}
