import { type Signal, useSignal } from '@preact/signals'
import { keyIn } from '../../../core/http/urls.ts'
import { isTime, toIso, toTimestamp } from '../../../core/time/time-text.ts'
import {
  Badge,
  Button,
  type Column,
  confirmed,
  CopyButton,
  Dialog,
  DialogForm,
  EmptyState,
  Menu,
  RelativeTime,
  Table,
  Tag,
  TextField,
  type TextFieldProps,
  toast,
  toPlural,
  useActions,
} from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import { placeOf } from '../../data/api.ts'
import type { AccountSummary, KeySummary } from '../../data/shapes.ts'
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

interface EditScopesProps {
  readonly apiKey: KeySummary
  readonly all: readonly string[]
  readonly onClose: () => void
}

function EditScopes({ apiKey, all, onClose }: EditScopesProps) {
  const { api, world } = usePanel()
  const { id, name, scopes: before } = apiKey
  const draft = useDraft(`scopes ${id}`)
  const scopes = draft.part<readonly string[]>('scopes', before)
  const shown = world.name.value
  const change = async (wanted: readonly string[]) => {
    // A key without `scopes` has every scope.
    const isAll = wanted.length === all.length
    await api.changeRecord(shown, 'keys', id, { scopes: isAll ? null : wanted })
  }
  const save = async () => {
    await change(scopes.peek())
    draft.forget()
    onClose()
    toast({ text: `Changed the scopes of ${name ?? id}`, undo: () => change(before) })
  }
  return (
    <DialogForm title={`Scopes of ${name ?? id}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} chosen={scopes.value} onChange={(chosen) => (scopes.value = chosen)} />
    </DialogForm>
  )
}

interface EditExpiryProps {
  readonly apiKey: KeySummary
  readonly onClose: () => void
}

function EditExpiry({ apiKey, onClose }: EditExpiryProps) {
  const { api, world } = usePanel()
  const { id, name, expires_at: before } = apiKey
  const draft = useDraft(`expiry ${id}`)
  const text = draft.part('text', before ?? '')
  const mistake = useSignal<string | undefined>(undefined)
  const save = async () => {
    const expires_at = readExpiry(text.peek(), mistake)
    if (expires_at === undefined) return
    const shown = world.name.peek()
    await api.changeKey(shown, id, { expires_at })
    draft.forget()
    onClose()
    toast({
      text: `Changed when ${name ?? id} expires`,
      undo: async () => void (await api.changeKey(shown, id, { expires_at: before })),
    })
  }
  return (
    <DialogForm title={`Expiry of ${name ?? id}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ExpiryField of={text} error={mistake.value} />
    </DialogForm>
  )
}

async function revokeKey({ api, world }: Panel, { id, name }: KeySummary, revoked: boolean): Promise<void> {
  const shown = world.name.peek()
  const set = async (wanted: boolean) => void (await api.changeKey(shown, id, { revoked: wanted }))
  await set(revoked)
  toast({ text: `${name ?? id} ${revoked ? 'is revoked' : 'works again'}`, undo: () => set(!revoked) })
}

async function expireNow({ api, world }: Panel, { id, name, expires_at }: KeySummary): Promise<void> {
  const shown = world.name.peek()
  const set = async (at: string | null) => void (await api.changeKey(shown, id, { expires_at: at }))
  const { now } = await api.clock(shown)
  await set(now)
  toast({ text: `${name ?? id} is expired`, undo: () => set(expires_at) })
}

/** Deletes a key. The name of a key is its secret, so undo is possible; for a key without a name it asks first. */
async function removeKey({ api, world }: Panel, key: KeySummary): Promise<void> {
  const { id, name, account, scopes, expires_at, revoked } = key
  const isWanted =
    name !== null ||
    (await confirmed({
      title: `Delete the key ${id}?`,
      text: 'You can’t undo this. Requests with this key then get 401.',
      action: 'Delete',
    }))
  if (!isWanted) return
  const shown = world.name.peek()
  const place = await placeOf(api, shown, { name: 'keys', id: 'secret' }, id)
  await api.deleteKey(shown, id)
  toast({
    text: `Deleted ${name ?? id}`,
    ...(name !== null && {
      undo: async () =>
        void (await api.createRecord(
          shown,
          'keys',
          { secret: name, account, scopes, revoked, ...(expires_at !== null && { expires_at }) },
          place,
        )),
    }),
  })
}

interface NewKeyProps {
  readonly account: AccountSummary
  readonly onClose: () => void
}

function NewKeyForm({ account: { id: account, scopes: all }, onClose }: NewKeyProps) {
  const { api, world } = usePanel()
  const draft = useDraft(`new key ${account}`)
  const scopes = draft.part('scopes', all)
  const expiry = draft.part('expiry', '')
  const mistake = useSignal<string | undefined>(undefined)
  const secret = useSignal<string | undefined>(undefined)
  const create = async () => {
    const expires_at = readExpiry(expiry.peek(), mistake)
    if (expires_at === undefined) return
    const isAll = scopes.peek().length === all.length
    const made = await api.createKey(world.name.peek(), {
      account,
      ...(!isAll && { scopes: scopes.peek() }),
      ...(expires_at !== null && { expires_at }),
    })
    draft.forget()
    secret.value = made.secret
  }
  if (secret.value !== undefined) return <CreatedKey secret={secret.value} account={account} onClose={onClose} />
  return (
    <DialogForm title={`Create a key for ${account}`} action="Create" onSubmit={create} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} chosen={scopes.value} onChange={(chosen) => (scopes.value = chosen)} />
      <ExpiryField of={expiry} error={mistake.value} />
    </DialogForm>
  )
}

interface CreatedKeyProps {
  readonly secret: string
  readonly account: string
  readonly onClose: () => void
}

function CreatedKey({ secret, account, onClose }: CreatedKeyProps) {
  const world = usePanel().world.name.value
  const whole = keyIn(world, secret)
  return (
    <Dialog
      title={`The new key for ${account}`}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Copy it now: it is shown only once.</p>
      <p class="row account-secret">
        <code class="code-inline">{whole}</code>
        <CopyButton text={whole} what="the key">
          Copy
        </CopyButton>
      </p>
      {whole !== secret && <p class="muted">The part after the @ names the world.</p>}
    </Dialog>
  )
}

interface ScopeChoicesProps {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function ScopeChoices({ all, chosen, onChange }: ScopeChoicesProps) {
  const toggle = (scope: string) =>
    onChange(all.filter((one) => (one === scope ? !chosen.includes(one) : chosen.includes(one))))
  return (
    <fieldset class="field">
      <legend class="field-title">Scopes</legend>
      <div class="account-scopes">
        {all.map((scope) => (
          <label key={scope} class="choice line">
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </div>
      <div class="row account-scope-sets">
        <Button kind="quiet" onClick={() => onChange(all)}>
          All
        </Button>
        <Button kind="quiet" onClick={() => onChange(all.filter((scope) => scope.endsWith(':read')))}>
          Read-only
        </Button>
        <Button kind="quiet" onClick={() => onChange([])}>
          None
        </Button>
      </div>
    </fieldset>
  )
}

/** Suggested times from now, in milliseconds. */
const lengths = [
  ['in 1 minute', 60_000],
  ['in 1 hour', 3_600_000],
  ['in 1 day', 86_400_000],
  ['in 30 days', 2_592_000_000],
] as const

function readExpiry(text: string, mistake: Signal<string | undefined>): string | null | undefined {
  const trimmed = text.trim()
  const isValid = trimmed === '' || isTime(trimmed)
  mistake.value = isValid ? undefined : 'Write a time such as 2026-01-31T12:00:00Z, or nothing for never.'
  if (!isValid) return undefined
  return trimmed === '' ? null : toIso(toTimestamp(trimmed))
}

function ExpiryField({ of, error }: Pick<TextFieldProps, 'of' | 'error'>) {
  const { now } = usePanel().world
  const isKnown = now.value !== undefined
  const text = of.value.trim()
  return (
    <div>
      <TextField
        title="Expires at"
        hint="ISO 8601, on the world's clock. Without it the key never expires."
        error={error}
        placeholder="never"
        of={of}
      />
      <div class="row">
        {lengths.map(([title, length]) => (
          <Button key={title} kind="quiet" disabled={!isKnown} onClick={() => (of.value = toIso(now.peek()! + length))}>
            {title}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => (of.value = '')}>
          never
        </Button>
        {isTime(text) && (
          <span class="muted">
            <RelativeTime at={toIso(toTimestamp(text))} />
          </span>
        )}
      </div>
    </div>
  )
}
