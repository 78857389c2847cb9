import { EmptyState, Link, Loaded, Meter, RelativeTime } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AccountSummary, QuotaSummary, QuotaWindow } from '../../data/shapes.ts'

/** The quotas left of each account's plan. */
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
                <Quota key={account.id} account={account} />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  )
}

function Quota({ account: { id, plan, quota, keys } }: { readonly account: AccountSummary }) {
  // With the assumption `rate-limit.scope` = `key`, each key has its own quota.
  const quotas = quota
    ? [{ name: undefined, quota }]
    : keys.map((key) => ({ name: key.name ?? key.id, quota: key.quota }))
  return (
    <div class="overview-quota">
      <h3>
        {id} <span class="muted">{plan}</span>
      </h3>
      {quotas.map(({ name, quota: one }) => one && <Windows key={name ?? ''} name={name} quota={one} />)}
    </div>
  )
}

function Windows({
  name,
  quota: { minute, day, scenario },
}: {
  readonly name: string | undefined
  readonly quota: QuotaSummary
}) {
  return (
    <>
      {name !== undefined && <p class="mono">{name}</p>}
      <Window title="Minute" quota={minute} />
      <Window title="Day" quota={day} />
      {scenario !== null && <p class="muted">by the scenario {scenario}</p>}
    </>
  )
}

function Window({
  title,
  quota: { limit, remaining, resets_at },
}: {
  readonly title: string
  readonly quota: QuotaWindow
}) {
  return (
    <Meter
      label={title}
      value={remaining}
      max={limit}
      note={
        remaining < limit && (
          <>
            refills <RelativeTime at={resets_at} />
          </>
        )
      }
    />
  )
}
