import { type Signal, useSignal } from '@preact/signals'
import { keyIn } from '../../../core/http/urls.ts'
import { isTime, toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { Button, CopyButton } from '../../components/controls.tsx'
import { confirmed, Dialog } from '../../components/dialog.tsx'
import { CheckboxField, DialogForm, TextField, type TextFieldProps } from '../../components/form/field.tsx'
import { useActions } from '../../components/keys.ts'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, RelativeTime, Tag } from '../../components/marks.tsx'
import { Menu } from '../../components/menu.tsx'
import { EmptyState } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { toPlural } from '../../components/words.ts'
import { placeOf, patchRecord } from '../../data/control.ts'
import { useDraft } from '../../data/form.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import type { Inputs } from '../../../control/actions/index.ts'
import type { AccountSummary, KeySummary } from '../../data/shapes.ts'

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
  const revoke = (key: KeySummary) =>
    changeKey(panel, key, { revoked: !key.revoked }, `${nameOf(key)} ${key.revoked ? 'works again' : 'is revoked'}`)
  const columns: readonly Column<KeySummary>[] = [
    { id: 'key', title: 'Key', cell: (key) => <span class="mono">{nameOf(key)}</span> },
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
          label={`Actions for ${nameOf(key)}`}
          items={[
            {
              title: key.revoked ? 'Undo the revocation' : 'Revoke',
              icon: key.revoked ? 'undo' : 'close',
              run: () => revoke(key).then(reload),
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
        <Button icon="plus" kind="primary" onClick={create} text="Create a key" />
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

function nameOf({ id, name }: Pick<KeySummary, 'id' | 'name'>): string {
  return name ?? id
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

function EditScopes({ apiKey, all, onClose }: { apiKey: KeySummary; all: readonly string[]; onClose: () => void }) {
  const { control, world } = usePanel()
  const { id, scopes: before } = apiKey
  const draft = useDraft(`scopes ${id}`)
  const scopes = draft.part<readonly string[]>('scopes', before)
  const shown = world.name.value
  // A key without `scopes` has every scope.
  const change = async (wanted: readonly string[]) =>
    void (await patchRecord(
      control,
      { world: shown, collection: 'keys', id },
      { scopes: wanted.length === all.length ? null : wanted },
    ))
  const save = async () => {
    await change(scopes.peek())
    draft.forget()
    onClose()
    toast({ text: `Changed the scopes of ${nameOf(apiKey)}`, undo: () => change(before) })
  }
  return (
    <DialogForm title={`Scopes of ${nameOf(apiKey)}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} of={scopes} />
    </DialogForm>
  )
}

function EditExpiry({ apiKey, onClose }: { apiKey: KeySummary; onClose: () => void }) {
  const panel = usePanel()
  const draft = useDraft(`expiry ${apiKey.id}`)
  const text = draft.part('text', apiKey.expires_at ?? '')
  const mistake = useSignal<string | undefined>(undefined)
  const save = async () => {
    const expires_at = readExpiry(text.peek(), mistake)
    if (expires_at === undefined) return
    await changeKey(panel, apiKey, { expires_at }, `Changed when ${nameOf(apiKey)} expires`)
    draft.forget()
    onClose()
  }
  return (
    <DialogForm title={`Expiry of ${nameOf(apiKey)}`} action="Save" onSubmit={save} draft={draft} onClose={onClose}>
      <ExpiryField of={text} error={mistake.value} />
    </DialogForm>
  )
}

type KeyChange = Inputs['PATCH /worlds/{world}/keys/{id}']

async function changeKey({ control, world }: Panel, key: KeySummary, change: KeyChange, text: string): Promise<void> {
  const path = { world: world.name.peek(), id: key.id }
  const before = 'revoked' in change ? { revoked: key.revoked } : { expires_at: key.expires_at }
  const send = (body: KeyChange) => control.call('PATCH /worlds/{world}/keys/{id}', { path, body })
  await send(change)
  toast({ text, undo: async () => void (await send(before)) })
}

async function expireNow(panel: Panel, key: KeySummary): Promise<void> {
  const { now } = await panel.control.call('GET /worlds/{world}/clock')
  await changeKey(panel, key, { expires_at: now }, `${nameOf(key)} is expired`)
}

/** Deletes a key. The name of a key is its secret, so undo is possible; for a key without a name it asks first. */
async function removeKey({ control, world }: Panel, key: KeySummary): Promise<void> {
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
  const place = await placeOf(control, shown, { name: 'keys', id: 'secret' }, id)
  await control.call('DELETE /worlds/{world}/keys/{id}', { path: { world: shown, id } })
  toast({
    text: `Deleted ${nameOf(key)}`,
    ...(name !== null && {
      undo: async () =>
        void (await control.call('POST /worlds/{world}/records/{collection}', {
          path: { world: shown, collection: 'keys' },
          query: { place },
          body: { secret: name, account, scopes, revoked, ...(expires_at !== null && { expires_at }) },
        })),
    }),
  })
}

function NewKeyForm({
  account: { id: account, scopes: all },
  onClose,
}: {
  account: AccountSummary
  onClose: () => void
}) {
  const { control } = usePanel()
  const draft = useDraft(`new key ${account}`)
  const scopes = draft.part<readonly string[]>('scopes', all)
  const expiry = draft.part('expiry', '')
  const mistake = useSignal<string | undefined>(undefined)
  const secret = useSignal<string | undefined>(undefined)
  const create = async () => {
    const expires_at = readExpiry(expiry.peek(), mistake)
    if (expires_at === undefined) return
    const isAll = scopes.peek().length === all.length
    const body = { account, ...(!isAll && { scopes: scopes.peek() }), ...(expires_at !== null && { expires_at }) }
    secret.value = (await control.call('POST /worlds/{world}/keys', { body })).secret
    draft.forget()
  }
  if (secret.value !== undefined) return <CreatedKey secret={secret.value} account={account} onClose={onClose} />
  return (
    <DialogForm title={`Create a key for ${account}`} action="Create" onSubmit={create} draft={draft} onClose={onClose}>
      <ScopeChoices all={all} of={scopes} />
      <ExpiryField of={expiry} error={mistake.value} />
    </DialogForm>
  )
}

function CreatedKey({ secret, account, onClose }: { secret: string; account: string; onClose: () => void }) {
  const world = usePanel().world.name.value
  const whole = keyIn(world, secret)
  return (
    <Dialog
      title={`The new key for ${account}`}
      onClose={onClose}
      actions={<Button kind="primary" onClick={onClose} text="Done" />}
    >
      <p>Copy it now: it is shown only once.</p>
      <p class="row account-secret above below">
        <code class="code-inline">{whole}</code>
        <CopyButton text={whole} what="the key" label="Copy" />
      </p>
      {whole !== secret && <p class="muted">The part after the @ names the world.</p>}
    </Dialog>
  )
}

function ScopeChoices({ all, of }: { all: readonly string[]; of: Signal<readonly string[]> }) {
  const sets = [
    ['All', all],
    ['Read-only', all.filter((scope) => scope.endsWith(':read'))],
    ['None', []],
  ] as const
  return (
    <CheckboxField
      title="Scopes"
      kind="columns account-scopes"
      values={all}
      chosen={of.value}
      onChange={(chosen) => (of.value = chosen)}
    >
      <div class="row above">
        {sets.map(([title, scopes]) => (
          <Button key={title} kind="quiet" onClick={() => (of.value = scopes)} text={title} />
        ))}
      </div>
    </CheckboxField>
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
          <Button
            key={title}
            kind="quiet"
            disabled={!isKnown}
            onClick={() => (of.value = toIso(now.peek()! + length))}
            text={title}
          />
        ))}
        <Button kind="quiet" onClick={() => (of.value = '')} text="never" />
        {isTime(text) && (
          <span class="muted">
            <RelativeTime at={toIso(toTimestamp(text))} />
          </span>
        )}
      </div>
    </div>
  )
}

export interface AccountProps {
  readonly account: AccountSummary
  readonly reload: () => void
}
