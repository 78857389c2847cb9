import { useSignal } from '@preact/signals'
import { toTimestamp } from '../../../core/time/time-text.ts'
import {
  Badge,
  Button,
  EmptyState,
  Menu,
  RelativeTime,
  Table,
  Tag,
  toPlural,
  useActions,
  type Column,
} from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary } from '../../data/shapes.ts'
import { EditExpiry } from './edit-expiry.tsx'
import { EditScopes } from './edit-scopes.tsx'
import { removeKey, expireNow, revokeKey } from './key-work.ts'
import { NewKeyForm } from './new-key.tsx'
import type { AccountProps } from './quotas.tsx'

type Open = { readonly what: 'new' } | { readonly what: 'scopes' | 'expiry'; readonly key: KeySummary }

export function Keys({ account, reload }: AccountProps) {
  const { id, keys, key_count, scopes: all } = account
  const panel = usePanel()
  const { world } = panel
  const open = useSignal<Open | undefined>(undefined)
  const close = () => {
    open.value = undefined
    reload()
  }
  const create = () => void (open.value = { what: 'new' })
  useActions([{ id: 'account:key', title: `Create a key for ${id}`, keywords: 'new token account', run: create }], [id])
  const columns: readonly Column<KeySummary>[] = [
    { id: 'key', title: 'Key', cell: (key) => <span class="mono">{key.name ?? key.id}</span> },
    { id: 'state', title: 'State', cell: (key) => <State apiKey={key} /> },
    { id: 'scopes', title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} all={all} />, isExtra: true },
    {
      id: 'expires',
      title: 'Expires',
      cell: ({ expires_at }) =>
        expires_at === null ? <span class="muted">never</span> : <RelativeTime at={expires_at} />,
      isExtra: true,
    },
    {
      id: 'menu',
      title: 'Actions',
      align: 'end',
      cell: (key) => (
        <Menu
          label={`Actions for ${key.name ?? key.id}`}
          items={[
            {
              title: key.revoked ? 'Undo the revocation' : 'Revoke',
              icon: key.revoked ? 'undo' : 'close',
              run: () => revokeKey(panel, key, !key.revoked).then(reload),
            },
            {
              title: 'Expire now',
              icon: 'pause',
              disabled: isExpired(key, world.now.value),
              run: () => expireNow(panel, key).then(reload),
            },
            { title: 'Expiry…', icon: 'play', run: () => (open.value = { what: 'expiry', key }) },
            { title: 'Scopes…', icon: 'filter', run: () => (open.value = { what: 'scopes', key }) },
            { title: 'Delete…', icon: 'trash', kind: 'danger', run: () => removeKey(panel, key).then(reload) },
          ]}
        />
      ),
    },
  ]
  const shown = open.value
  return (
    <section class="section">
      <div class="row">
        <h2>Keys</h2>
        <span class="spacer" />
        <Button icon="plus" kind="primary" onClick={create}>
          Create a key
        </Button>
      </div>
      {keys.length === 0 ? (
        <EmptyState title="This account has no keys">Without a key, no request can use the account.</EmptyState>
      ) : (
        <Table label={`Keys of ${id}`} columns={columns} rows={keys} keyOf={(key) => key.id} />
      )}
      {key_count > keys.length && (
        <p class="muted">{toPlural(key_count - keys.length, 'newer key')} more: see Data for all keys.</p>
      )}
      {shown?.what === 'new' && <NewKeyForm account={account} onClose={close} />}
      {shown?.what === 'scopes' && <EditScopes apiKey={shown.key} all={all} onClose={close} />}
      {shown?.what === 'expiry' && <EditExpiry apiKey={shown.key} onClose={close} />}
    </section>
  )
}

function State({ apiKey }: { readonly apiKey: KeySummary }) {
  const now = usePanel().world.now.value
  if (apiKey.revoked) return <Badge tone="gone">revoked</Badge>
  if (apiKey.expires_at !== null && now === undefined) return <span class="muted">…</span>
  return isExpired(apiKey, now) ? <Badge tone="warning">expired</Badge> : <Badge tone="good">works</Badge>
}

function isExpired({ expires_at }: KeySummary, now = 0): boolean {
  return expires_at !== null && toTimestamp(expires_at) <= now
}

const few = 3

function Scopes({ scopes, all }: Record<'scopes' | 'all', readonly string[]>) {
  const list = scopes.join(', ')
  if (scopes.length === all.length) return <span title={list}>all</span>
  if (scopes.length === 0) return <span class="muted">none</span>
  if (scopes.length > few)
    return (
      <span title={list}>
        {scopes.length} of {all.length}: {scopes.every((scope) => scope.endsWith(':read')) ? 'read-only' : 'some'}
      </span>
    )
  return (
    <span class="row">
      {scopes.map((scope) => (
        <Tag key={scope}>{scope}</Tag>
      ))}
    </span>
  )
}
