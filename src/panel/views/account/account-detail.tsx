import { Link, toast, useActions } from '../../components/index.ts'
import { readPlans } from '../../data/listed-names.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { Keys } from './keys.tsx'
import { Payments } from './payments.tsx'
import { PlanSelect } from './plan-select.tsx'
import { AccountQuotas, type AccountProps } from './quotas.tsx'

export function AccountDetail({ account, reload }: AccountProps) {
  const { api, world } = usePanel()
  const { id, name, email, plan } = account
  const plans = useResource(() => readPlans(api), []).value.value ?? [plan]
  const changePlan = async (wanted: string) => {
    const before = plan
    const shown = world.name.peek()
    await api.changeAccount(shown, id, { plan: wanted })
    reload()
    toast({
      text: `${id} is on the plan ${wanted}`,
      undo: async () => {
        await api.changeAccount(shown, id, { plan: before })
        reload()
      },
    })
  }
  useActions(
    plans
      .filter((other) => other !== plan)
      .map((other) => ({
        id: `account:plan:${other}`,
        title: `Put ${id} on the plan ${other}`,
        keywords: 'account change subscription',
        run: () => changePlan(other),
      })),
    [id, plan, plans.length],
  )
  return (
    <>
      <section class="section row account-top">
        <div>
          <h2>
            <span class="mono">{id}</span>
          </h2>
          <p class="muted">
            {name}, {email} · <Link to={{ view: 'data', rest: ['accounts', id] }}>record</Link>
          </p>
        </div>
        <span class="spacer" />
        <span class="row">
          <span class="muted" aria-hidden="true">
            Plan
          </span>
          <PlanSelect plan={plan} plans={plans} onChoose={changePlan} />
        </span>
      </section>
      <AccountQuotas account={account} reload={reload} />
      <Payments account={account} />
      <Keys account={account} reload={reload} />
    </>
  )
}
