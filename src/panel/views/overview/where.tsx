import { keyIn, toClientUrl } from '../../../core/http/client-url.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { CodeFrame, CopyCode, EmptyState, Link, Select, Table, Tabs, type Column } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { KeySummary, Start } from '../../data/shapes.ts'
import { snippets } from './snippets.ts'

interface KeyRow extends KeySummary {
  readonly name: string
  readonly atStart: string | undefined
  readonly whole: string
}

const columns: readonly Column<KeyRow>[] = [
  { id: 'key', title: 'Key', cell: ({ whole }) => <CopyCode text={whole} /> },
  { id: 'plan', title: 'Plan', cell: ({ plan }) => plan ?? 'none' },
  { id: 'account', title: 'Account', cell: ({ account }) => account, isExtra: true },
  { id: 'note', title: 'Note', cell: (row) => <Note row={row} /> },
]

export function ConnectionInfo({ start, keys }: { readonly start: Start; readonly keys: readonly KeySummary[] }) {
  const { router, world } = usePanel()
  const name = world.name.value
  const rows = keys.flatMap(({ name: key, ...about }): KeyRow[] =>
    key === null ? [] : [{ ...about, name: key, atStart: start.keys[key]?.note, whole: keyIn(name, key) }],
  )
  const toUrl = toClientUrl({ plants: start.plants_url, apps: start.apps_url })
  const { key: wanted, code = 'curl' } = router.route.value.params
  const chosen = rows.find((row) => row.name === wanted) ?? rows.find((row) => row.name === 'key_pro') ?? rows[0]
  const input = chosen && {
    start,
    key: chosen.whole,
    bareKey: chosen.name,
    world: name,
  }
  const [hasPlants, hasApps] = [start.areas.includes('plants'), start.areas.includes('apps')]
  return (
    <>
      <section class="section">
        <h2>Base URLs</h2>
        <dl class="overview-urls">
          {hasPlants && <Url title="Plant store" url={start.plants_url} />}
          {hasApps && <Url title="App management" url={start.apps_url} />}
          {name !== 'default' && (
            <>
              {hasPlants && <Url title="Plant store of this world" url={toUrl(`/~${name}/`).replace(/\/$/, '')} />}
              {hasApps && <Url title="App management of this world" url={toUrl(`/~${name}/v1`)} />}
            </>
          )}
        </dl>
        {start.config !== undefined && (
          <p class="muted">
            Its settings are from <code>{start.config}</code>.
          </p>
        )}
        {name !== 'default' && (
          <p class="muted">
            Without a world in the URL, a request names the world in its key or in the header{' '}
            <code>X-Greenhouse-World</code>.
          </p>
        )}
      </section>
      <section class="section">
        <h2>Keys</h2>
        {rows.length === 0 ? (
          <EmptyState title="No key can be shown">
            <p>
              Fixture files can have keys (keys.yaml), and <Link to={{ view: 'account' }}>Account</Link> creates them
              for an account of the world.
            </p>
          </EmptyState>
        ) : (
          <Table label="Keys" columns={columns} rows={rows} keyOf={(row) => row.name} />
        )}
      </section>
      {input && (
        <section class="section">
          <div class="row">
            <h2>Code</h2>
            <span class="muted">for</span>
            <Select
              label="The key of the code"
              value={chosen.name}
              options={rows.map((row) => row.name)}
              onChange={(value) => router.setParam('key', value)}
            />
            {name !== 'default' && <span class="muted">in the world {name}</span>}
          </div>
          <Tabs
            label="Code"
            chosen={code}
            onChoose={(id) => router.setParam('code', id)}
            tabs={snippets
              .filter(({ needs }) => needs.every((area) => start.areas.includes(area)))
              .map(({ id, title, toText }) => ({
                id,
                title,
                render: () => <CodeFrame text={toText(input)} what={`the code for ${title}`} />,
              }))}
          />
        </section>
      )}
    </>
  )
}

function Note({ row: { revoked, expires_at, scopes, atStart } }: { readonly row: KeyRow }) {
  const { now } = usePanel().world
  const isExpired = expires_at !== null && toTimestamp(expires_at) <= (now.value ?? 0)
  const expiry = expires_at && `${isExpired ? 'expired' : 'expires'} ${expires_at}`
  // A key without limits has all scopes, and no note at the start.
  const limits = scopes.join(' ') === atStart && atStart
  return <span class="muted">{revoked ? 'revoked' : (expiry ?? limits)}</span>
}

function Url({ title, url }: { readonly title: string; readonly url: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <CopyCode text={url} what={`the URL of the ${title.toLowerCase()}`} />
      </dd>
    </div>
  )
}
