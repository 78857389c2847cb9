import { useSignal } from '@preact/signals'
import { Fact, Facts } from '../../components/content.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { useActions } from '../../components/keys.ts'
import { Link, NavList, ViewHead } from '../../components/layout.tsx'
import { Badge, Quotas, RelativeTime, type Tone } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { attempt, toast } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import { quotasOf, readPlans } from '../../data/control.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AccountSummary } from '../../data/shapes.ts'
import { CallError } from '../../../control/client/errors.ts'
import { type AccountProps, Keys } from './keys.tsx'

export default function Account() {
  const { control, router } = usePanel()
  const accounts = useResource(async () => (await control.call('GET /worlds/{world}/accounts')).data, [], ['records'])
  const list = accounts.value.value
  const [wanted] = router.route.value.rest
  const id = wanted ?? list?.find(({ key_count }) => key_count > 0)?.id ?? list?.[0]?.id
  return (
    <>
      <ViewHead title="Account" />
      <div class="split">
        {list && (
          <NavList
            label="Accounts"
            chosen={id}
            items={list.map((account) => ({
              id: account.id,
              title: account.id,
              note: account.plan,
              href: router.href({ view: 'account', rest: [account.id] }),
            }))}
          />
        )}
        <div class="split-list account-page">
          {id !== undefined ? (
            <LoadedAccount key={id} id={id} />
          ) : (
            <Loaded resource={accounts} lines={10}>
              {() => (
                <EmptyState title="This world has no accounts">
                  <p>Add one in a fixture file, or here.</p>
                  <Link class="button" to={{ view: 'data', rest: ['accounts'], params: { new: '*' } }}>
                    Add an account
                  </Link>
                </EmptyState>
              )}
            </Loaded>
          )}
        </div>
      </div>
    </>
  )
}

const events = ['request', 'records', 'keys', 'clock', 'scenarios', 'assumptions'] as const

function LoadedAccount({ id }: { readonly id: string }) {
  const { control } = usePanel()
  const account = useResource(() => control.call('GET /worlds/{world}/accounts/{id}', { path: { id } }), [], events)
  const error = account.error.value
  if (error instanceof CallError && error.code === 'unknown_account')
    return <EmptyState title="This account does not exist">{error.message}</EmptyState>
  return (
    <Loaded resource={account} lines={14}>
      {(value) => <AccountDetail account={value} reload={account.reload} />}
    </Loaded>
  )
}

function AccountDetail({ account, reload }: AccountProps) {
  const { control, world } = usePanel()
  const { id, name, email, plan } = account
  const plans = useResource(() => readPlans(control), []).value.value ?? [plan]
  /** The plan that is being changed to. */
  const wanted = useSignal<string | undefined>(undefined)
  const choose = async (chosen: string) => {
    wanted.value = chosen
    await attempt(() => changePlan(chosen))
    wanted.value = undefined
  }
  const changePlan = async (wanted: string) => {
    const before = plan
    const path = { world: world.name.peek(), id }
    const put = (plan: string) => control.call('PATCH /worlds/{world}/accounts/{id}', { path, body: { plan } })
    await put(wanted)
    reload()
    toast({
      text: `${id} is on the plan ${wanted}`,
      undo: async () => {
        await put(before)
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
          <Select
            label="Plan"
            value={wanted.value ?? plan}
            options={plans}
            onChange={(chosen) => void choose(chosen)}
          />
        </span>
      </section>
      <AccountQuotas account={account} reload={reload} />
      <Payments account={account} />
      <Keys account={account} reload={reload} />
    </>
  )
}

const tones: Readonly<Record<AccountSummary['subscription']['status'], Tone>> = {
  active: 'good',
  past_due: 'warning',
  canceled: 'gone',
}

function Payments({ account: { id, credits, subscription } }: { readonly account: AccountSummary }) {
  const { status, plan, cancel_at_period_end, period_start, period_end, canceled_at, former_plan } = subscription
  return (
    <div class="columns-fit account-money">
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

function AccountQuotas({ account, reload }: AccountProps) {
  const { control } = usePanel()
  const { id } = account
  const hasQuota = quotasOf(account).length > 0
  const refill = async (window?: 'minute' | 'day') => {
    await control.call('POST /worlds/{world}/accounts/{id}/refill', { path: { id }, body: { window } })
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
      {!hasQuota && <p class="muted">Each key has a quota of its own, and this account has no key.</p>}
      <Quotas account={account} reload={reload} />
      {hasQuota && (
        <div class="row">
          <Button icon="redo" onClick={() => refill()} text="Refill" />
          <Button kind="quiet" onClick={() => refill('minute')} text="only the minute" />
          <Button kind="quiet" onClick={() => refill('day')} text="only the day" />
        </div>
      )}
    </section>
  )
}
