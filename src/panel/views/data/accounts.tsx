import { useSignalEffect } from '@preact/signals'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Fact, Facts, Loaded } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { Link } from '../../components/layout.tsx'
import type { Column } from '../../components/lists.tsx'
import { Badge, RelativeTime } from '../../components/marks.tsx'
import { change } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import {
  type KeyNames,
  readKeyNames,
  type QuotaSummary,
  type QuotaWindow,
  type RecordValue,
} from '../../data/control.ts'
import { type PanelResource, usePanel, useResource } from '../../data/panel.ts'
import { recordEvents, wherePrefix } from './queries.ts'

interface Holding {
  names: KeyNames
  /** The values by the account's id, or the key's name. */
  quotas: ReadonlyMap<string, QuotaSummary>
}

/** The parts of accounts and keys beyond their records; nothing in other collections. */
export type Holders = PanelResource<Holding>

const quotaEvents = [...recordEvents, 'request', 'clock', 'scenarios', 'assumptions'] as const

export function useHolders(collection: string): Holders {
  const { control, world } = usePanel()
  const isOfKeys = collection === 'keys'
  const hasQuotas = isOfKeys || collection === 'accounts'
  const read = async (): Promise<Holding> => {
    if (!hasQuotas)
      return {
        names: new Map(),
        quotas: new Map(),
      }
    const [names, { data }] = await Promise.all([
      readKeyNames(control),
      control.call('GET /worlds/{world}/quotas'),
    ])
    const shown = data.filter(({ key }) => isOfKeys === (key !== null))
    return {
      names,
      quotas: new Map(shown.map((quota) => [quota.key ?? quota.account, quota])),
    }
  }
  const holders = useResource(read, [], hasQuotas ? quotaEvents : [])
  // No event reports the end of a window.
  useSignalEffect(() => {
    const now = world.now.value ?? 0
    const isOver = ({ used, resets_at }: QuotaWindow) => used > 0 && now >= toTimestamp(resets_at)
    const shown = [...(holders.value?.quotas.values() ?? [])]
    if (shown.some(({ minute, day }) => isOver(minute) || isOver(day))) holders.reload()
  })
  return holders
}

export function withHolders(
  collection: string,
  columns: readonly Column<RecordValue>[],
  { value }: Holders,
): readonly Column<RecordValue>[] {
  const { names, quotas } = value ?? {}
  const nameOf = (id: unknown) => names?.get(id) ?? String(id)
  const left: Column<RecordValue> = {
    title: 'requests left',
    cell: ({ id, secret = id }) => <QuotaCell of={nameOf(secret)} quotas={quotas} />,
  }
  const [id, ...rest] = columns
  if (!id) return columns
  if (collection === 'accounts') return [id, left, ...rest]
  if (collection !== 'keys') return columns
  const shown: Column<RecordValue>[] = [
    {
      ...id,
      title: 'key',
      cell: ({ secret }) => <code>{nameOf(secret)}</code>,
    },
    { title: 'state', cell: (of) => <KeyState of={of} /> },
    {
      title: 'scopes',
      cell: ({ scopes }) => <span class="data-cell clip">{toScopes(scopes)}</span>,
    },
    ...rest.filter((column) => column.id !== 'revoked' && column.id !== 'scopes'),
  ]
  if (quotas?.size) return shown.toSpliced(2, 0, left)
  return shown
}

function toScopes(scopes: unknown): string {
  if (Array.isArray(scopes)) return scopes.join(', ') || 'none'
  return 'all'
}

function KeyState({ of: { revoked, expires_at } }: { of: RecordValue }) {
  const now = usePanel().world.now.value
  if (revoked) return <Badge text="revoked" />
  const isExpired = typeof expires_at === 'string' && now && toTimestamp(expires_at) <= now
  return <Badge text={isExpired ? 'expired' : 'works'} />
}

function QuotaCell({ of, quotas }: { of: string; quotas: Holding['quotas'] | undefined }) {
  const { minute, day } = quotas?.get(of) ?? {}
  return (
    minute &&
    day && (
      <span class="line data-quotas">
        <Meter label={`Minute of ${of}`} quota={minute} /> {toCountText(minute.remaining)}{' '}
        <small>min</small>
        <Meter label={`Day of ${of}`} quota={day} /> {toCountText(day.remaining)} <small>day</small>
      </span>
    )
  )
}

function Meter({ label, quota }: { label: string; quota: QuotaWindow }) {
  const { limit, remaining } = quota
  const text = toLeftText(quota)
  const range = {
    max: Math.max(1, limit),
    low: limit / 5,
    optimum: limit,
    value: remaining,
  }
  return <meter aria-label={label} aria-valuetext={text} title={text} {...range} />
}

function toLeftText({ remaining, limit }: QuotaWindow): string {
  return `${toCountText(remaining)} of ${toCountText(limit)} left`
}

/** The part of an account or a key before its fields. */
export function HolderFacts({
  collection,
  id,
  record,
  holders,
}: {
  collection: string
  id: string
  record: RecordValue
  holders: Holders
}) {
  const isKey = collection === 'keys'
  if (!isKey && collection !== 'accounts') return null
  return (
    <>
      <Loaded resource={holders}>
        {({ names, quotas }) => {
          const name = names.get(id) ?? id
          return (
            <Facts kind="below">
              {isKey && (
                <Fact title="Key">
                  <code>{name}</code> <KeyState of={record} />
                </Fact>
              )}
              <QuotaFacts quota={quotas.get(name)} />
              {!isKey && !quotas.has(id) && <Fact title="Quota">Each key has its own.</Fact>}
            </Facts>
          )
        }}
      </Loaded>
      {!isKey && <AccountActions id={id} reload={holders.reload} />}
    </>
  )
}

function AccountActions({ id, reload }: { id: string; reload: () => void }) {
  const newKey = {
    view: 'data',
    rest: ['keys'],
    params: {
      new: '',
      [`${wherePrefix}account`]: id,
    },
  }
  const panel = usePanel()
  const refill = async () => {
    await change(panel, `Refilled ${id}`, (control) =>
      control.call('POST /worlds/{world}/accounts/{id}/refill', { id }),
    )
    reload()
  }
  return (
    <div class="row actions">
      <Button icon="redo" onClick={refill} text="Refill" />
      <Link class="button" to={newKey} text="Generate key" />
    </div>
  )
}

function QuotaFacts({ quota }: { quota: QuotaSummary | undefined }) {
  const windows = quota ? [['Minute', quota.minute] as const, ['Day', quota.day] as const] : []
  return (
    <>
      {windows.map(([title, left]) => (
        <Fact key={title} title={title}>
          <Meter label={title} quota={left} /> {toLeftText(left)}
          {left.used > 0 && (
            <small>
              , {toCountText(left.used)} used, refills <RelativeTime at={left.resets_at} />
            </small>
          )}
        </Fact>
      ))}
      {quota?.scenario && <Fact title="By">the scenario {quota.scenario}</Fact>}
    </>
  )
}
