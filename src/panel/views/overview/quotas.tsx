import { EmptyState, Loaded, Meter, RelativeTime } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AccountSummary, QuotaWindow } from '../../data/shapes.ts'

/** How much is left of each account's plan. */
export function Quotas() {
  const { api, world } = usePanel()
  const accounts = useResource(() => api.accounts(world.name.value), [], {
    reloadOn: ['request', 'clock', 'world', 'records', 'scenarios'],
  })
  return (
    <section class="section">
      <h2>What is left of the plans</h2>
      <Loaded resource={accounts} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="This world has no accounts">Fixtures add them: accounts.yaml.</EmptyState>
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

function Quota({ account: { id, plan, quota } }: { readonly account: AccountSummary }) {
  return (
    <div class="overview-quota">
      <h3>
        {id} <span class="muted">{plan}</span>
      </h3>
      <Window title="Minute" quota={quota.minute} />
      <Window title="Day" quota={quota.day} />
    </div>
  )
}

function Window({ title, quota }: { readonly title: string; readonly quota: QuotaWindow | null }) {
  if (!quota) return <p class="muted">{title}: unlimited</p>
  const { limit, remaining, resets_at } = quota
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
