import { useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Fact, Facts, Loaded } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { Link } from '../../components/layout.tsx'
import type { Column } from '../../components/lists.tsx'
import { Badge, RelativeTime } from '../../components/marks.tsx'
import { change } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import { type PanelResource, usePanel, useResource } from '../../data/panel.ts'
import type { AccountSummary, KeySummary, QuotaSummary, QuotaWindow, RecordValue } from '../../data/shapes.ts'
import { recordEvents, wherePrefix } from './queries.ts'

type Holder = AccountSummary | KeySummary

/** What accounts and keys show beyond their records, by id; empty in other collections. */
export type Holders = PanelResource<ReadonlyMap<string, Holder>>

const quotaEvents = [...recordEvents, 'request', 'clock', 'scenarios', 'assumptions'] as const

export function useHolders(collection: string): Holders {
  const { control, world } = usePanel()
  const hasQuotas = collection === 'accounts' || collection === 'keys'
  const read = async () => {
    const list: readonly Holder[] = hasQuotas ? (await control.call(`GET /worlds/{world}/${collection}`)).data : []
    return new Map(list.map((one) => [one.id, one]))
  }
  const holders = useResource(read, [], hasQuotas ? quotaEvents : [])
  // No event reports the end of a window.
  useSignalEffect(() => {
    const now = world.now.value ?? 0
    const isOver = ({ used, resets_at }: QuotaWindow) => used > 0 && now >= toTimestamp(resets_at)
    const quotas = [...(holders.value.peek()?.values() ?? [])].flatMap(({ quota }) => quota ?? [])
    if (quotas.some(({ minute, day }) => isOver(minute) || isOver(day))) holders.reload()
  })
  return holders
}

export function withHolders(
  collection: string,
  columns: readonly Column<RecordValue>[],
  { value }: Holders,
): readonly Column<RecordValue>[] {
  const holders = value.value
  const [id, ...rest] = columns
  const cell = (show: (holder: Holder) => ComponentChildren) => (record: RecordValue) => {
    const holder = holders?.get(String(record[id!.id!]))
    return holder && show(holder)
  }
  const left: Column<RecordValue> = {
    title: 'requests left',
    cell: cell((one) => one.quota && <QuotaCell of={nameOf(one)} quota={one.quota} />),
  }
  const isPlan = (column: Column<RecordValue>) => column.id === 'plan'
  if (collection === 'accounts') return [id!, ...rest.filter(isPlan), left, ...rest.filter((one) => !isPlan(one))]
  if (collection !== 'keys') return columns
  const hasQuotas = [...(holders?.values() ?? [])].some(({ quota }) => quota !== null)
  return [
    { ...id!, title: 'key', cell: cell((key) => <span class="mono">{nameOf(key)}</span>) },
    { title: 'state', cell: cell((key) => isKey(key) && <KeyState of={key} />) },
    ...(hasQuotas ? [left] : []),
    ...rest
      .filter((column) => column.id !== 'revoked')
      .map((column) => (column.id === 'scopes' ? { ...column, cell: showScopes } : column)),
  ]
}

const isKey = (holder: Holder): holder is KeySummary => 'revoked' in holder

/** Returns the secret of a key of plain words, because its id is a fingerprint. */
const nameOf = (holder: Holder) => (isKey(holder) && holder.name) || holder.id

function showScopes({ scopes }: RecordValue): ComponentChildren {
  const text = Array.isArray(scopes) ? scopes.join(', ') || 'none' : 'all'
  return (
    <span class="data-cell clip" title={text}>
      {text}
    </span>
  )
}

function KeyState({ of: { revoked, expires_at } }: { readonly of: KeySummary }) {
  const now = usePanel().world.now.value
  if (revoked) return <Badge tone="gone">revoked</Badge>
  if (expires_at !== null && now === undefined) return <span class="muted">…</span>
  const isExpired = expires_at !== null && toTimestamp(expires_at) <= now!
  return isExpired ? <Badge tone="warning">expired</Badge> : <Badge tone="good">works</Badge>
}

function QuotaCell({ of, quota: { minute, day } }: { readonly of: string; readonly quota: QuotaSummary }) {
  return (
    <span class="line data-quotas">
      <Meter label={`Minute of ${of}`} quota={minute} /> {toCountText(minute.remaining)} <span class="muted">min</span>
      <Meter label={`Day of ${of}`} quota={day} /> {toCountText(day.remaining)} <span class="muted">day</span>
    </span>
  )
}

function Meter({ label, quota }: { readonly label: string; readonly quota: QuotaWindow }) {
  const { limit, remaining } = quota
  const text = toLeftText(quota)
  const range = { max: Math.max(1, limit), low: limit / 5, optimum: limit, value: remaining }
  return <meter aria-label={label} aria-valuetext={text} title={text} {...range} />
}

function toLeftText({ remaining, limit }: QuotaWindow): string {
  return `${toCountText(remaining)} of ${toCountText(limit)} left`
}

export function HolderFacts({ id, holders }: { readonly id: string; readonly holders: Holders }) {
  return (
    <Loaded resource={holders} lines={4}>
      {(all) => {
        const holder = all.get(id)
        if (!holder) return null
        return isKey(holder) ? <KeyFacts of={holder} /> : <AccountFacts of={holder} reload={holders.reload} />
      }}
    </Loaded>
  )
}

function KeyFacts({ of: key }: { readonly of: KeySummary }) {
  return (
    <Facts kind="below">
      <Fact title="Key">
        <span class="mono">{nameOf(key)}</span> <KeyState of={key} />
      </Fact>
      <Fact title="Plan">{key.plan ?? 'none: there is no such account'}</Fact>
      <QuotaFacts quota={key.quota} />
    </Facts>
  )
}

function AccountFacts({ of, reload }: { readonly of: AccountSummary; readonly reload: () => void }) {
  const { id, quota, credits, subscription } = of
  const newKey = { view: 'data', rest: ['keys'], params: { new: '', [`${wherePrefix}account`]: id } }
  const panel = usePanel()
  const refill = async () => {
    await change(panel, `Refilled ${id}`, (control) =>
      control.call('POST /worlds/{world}/accounts/{id}/refill', { path: { id }, body: {} }),
    )
    reload()
  }
  return (
    <>
      <Facts kind="below">
        <QuotaFacts quota={quota} />
        {!quota && <Fact title="Quota">Each key has its own.</Fact>}
        <Fact title="Credits">
          {toCountText(credits.balance)} <span class="muted">of {toCountText(credits.purchased)} purchased</span>
        </Fact>
        <Fact title="Subscription">
          {subscription.status}, {subscription.cancel_at_period_end ? 'ends' : 'renews'}{' '}
          <RelativeTime at={subscription.period_end} />
        </Fact>
      </Facts>
      <div class="row actions">
        <Button icon="redo" onClick={refill} text="Refill" />
        <Link class="button" to={newKey} text="Generate key" />
      </div>
    </>
  )
}

function QuotaFacts({ quota }: { readonly quota: QuotaSummary | null }) {
  const windows = quota ? [['Minute', quota.minute] as const, ['Day', quota.day] as const] : []
  return (
    <>
      {windows.map(([title, left]) => (
        <Fact key={title} title={title}>
          <Meter label={title} quota={left} /> {toLeftText(left)}
          {left.used > 0 && (
            <span class="muted">
              , {toCountText(left.used)} used, refills <RelativeTime at={left.resets_at} />
            </span>
          )}
        </Fact>
      ))}
      {quota?.scenario && <Fact title="By">the scenario {quota.scenario}</Fact>}
    </>
  )
}
