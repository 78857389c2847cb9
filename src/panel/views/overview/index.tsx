import type { AreaName } from '../../../areas/event-types.ts'
import { keyIn, toClientUrl } from '../../../core/http/urls.ts'
import { type CodeRequest, toCurl, toFetch } from '../../../core/text/code.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Button, CodeFrame, CopyCode, Select } from '../../components/controls.tsx'
import { Link, Tabs, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Quotas } from '../../components/marks.tsx'
import { EmptyState, Loaded, ProblemsBar } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AccountSummary, KeySummary, Start } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'

export default function Overview() {
  const { control, world } = usePanel()
  const start = useResource(
    () => Promise.all([control.call('GET /start'), control.call('GET /worlds/{world}/keys')]),
    [],
    ['keys', 'records', 'clock'],
  )
  return (
    <>
      <ViewHead title="Overview">
        {world.seed.value !== undefined && <span class="muted">seed {world.seed.value}</span>}
      </ViewHead>
      <ProblemsBar />
      <Loaded resource={start} lines={14}>
        {([startInfo, { data: keys }]) => (
          <>
            <ConnectionInfo start={startInfo} keys={keys} />
            <FirstSteps start={startInfo} keys={keys} />
          </>
        )}
      </Loaded>
      <OverviewQuotas />
    </>
  )
}

function OverviewQuotas() {
  const { control } = usePanel()
  const accounts = useResource(
    async () => (await control.call('GET /worlds/{world}/accounts')).data,
    [],
    ['request', 'clock', 'records', 'scenarios'],
  )
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
            <div class="columns overview-quotas">
              {list.map((account) => (
                <Quota key={account.id} account={account} reload={accounts.reload} />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  )
}

function Quota({ account, reload }: { readonly account: AccountSummary; readonly reload: () => void }) {
  return (
    <div class="overview-quota">
      <h3>
        {account.id} <span class="muted">{account.plan}</span>
      </h3>
      <Quotas account={account} reload={reload} />
    </div>
  )
}

function FirstSteps({ start, keys }: { readonly start: Start; readonly keys: readonly KeySummary[] }) {
  const panel = usePanel()
  const { world } = panel
  const name = world.name.value
  const working = keys.filter(
    (one) => one.name !== null && one.plan !== null && !one.revoked && one.expires_at === null,
  )
  const { name: key, plan } = working.find((one) => one.name === 'key_free') ?? working[0] ?? {}
  if (!key || !plan || !start.areas.includes('apps')) return null
  const title = plan[0]!.toUpperCase() + plan.slice(1).replace('_', ' ')
  const send = async () => {
    const response = await panel.send('/v1/apps?limit=3', {
      headers: { authorization: `Bearer ${key}`, 'x-greenhouse-world': name },
    })
    toast({ text: `GET /v1/apps was answered with ${response.status}` })
  }
  const spend = () =>
    switchOn(
      panel,
      { name: 'rate-limited-plan', plan },
      `The quota of the plan ${title} is spent: its next request gets 429.`,
    )
  const advance = async () => {
    await world.changeClock({ advance: '1d' })
    toast({ text: 'The clock is a day later.' })
  }
  return (
    <section class="section">
      <h2>What to try first</h2>
      <ol class="overview-steps">
        <li>
          <Button onClick={send} text="Send GET /v1/apps" />
          <p>
            Sends a request with {key} from this page. You see it in <Link to={{ view: 'traffic' }}>Traffic</Link>, like
            every request of your client.
          </p>
        </li>
        <li>
          <Button onClick={spend} text={`Spend the quota of ${title}`} />
          <p>
            Switches on the scenario rate-limited-plan. Send the request again: it gets 429, and Traffic says why.{' '}
            <Link to={{ view: 'scenarios' }}>All scenarios</Link>
          </p>
        </li>
        <li>
          <Button onClick={advance} text="Advance the clock by a day" />
          <p>
            The quota refills, and everything that is due by then happens.{' '}
            <Link to={{ view: 'time' }}>What is due next</Link>
          </p>
        </li>
      </ol>
    </section>
  )
}

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

function ConnectionInfo({ start, keys }: { readonly start: Start; readonly keys: readonly KeySummary[] }) {
  const { router, world } = usePanel()
  const name = world.name.value
  const rows = keys.flatMap(({ name: key, ...about }): KeyRow[] =>
    key === null ? [] : [{ ...about, name: key, atStart: start.keys[key]?.note, whole: keyIn(name, key) }],
  )
  const toUrl = toClientUrl({ plants: start.plants_url, apps: start.apps_url })
  const { key: wanted } = router.route.value.params
  const chosen = rows.find((row) => row.name === wanted) ?? rows.find((row) => row.name === 'key_pro') ?? rows[0]
  const input = chosen && { start, key: chosen.whole, bareKey: chosen.name, world: name }
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
            param="code"
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

interface SnippetInput {
  readonly start: Start
  readonly key: string
  readonly bareKey: string
  readonly world: string
}

interface Snippet {
  readonly id: string
  readonly title: string
  readonly needs: readonly AreaName[]
  readonly toText: (input: SnippetInput) => string
}

function listPlants(plants: string, key: string): CodeRequest {
  return { method: 'GET', url: `${plants}/plants?limit=3`, headers: [['authorization', `Bearer ${key}`]] }
}

const snippets: readonly Snippet[] = [
  {
    id: 'curl',
    title: 'curl',
    needs: [],
    toText: ({ start: { plants_url: plants, apps_url: apps, areas }, key }) => {
      const list = listPlants(plants, key)
      const headers = [...list.headers, ['content-type', 'application/json'] as const]
      const body = '{"id": 1000, "name": "Ficus", "tag": "tree"}'
      const requests = [
        ...(areas.includes('plants') ? [list] : []),
        ...(areas.includes('apps') ? [{ ...list, url: `${apps}/apps` }] : []),
        ...(areas.includes('plants') ? [{ method: 'POST', url: `${plants}/plants`, headers, body }] : []),
      ]
      return requests.map(toCurl).join('\n')
    },
  },
  {
    id: 'fetch',
    title: 'fetch',
    needs: ['plants'],
    toText: ({ start, key }) => toFetch(listPlants(start.plants_url, key)),
  },
  {
    id: 'axios',
    title: 'axios',
    needs: ['apps'],
    toText: ({ start: { apps_url: apps }, key }) => `import axios from 'axios'

const api = axios.create({
  baseURL: '${apps}',
  headers: { authorization: ${toLiteral(`Bearer ${key}`)} },
})
console.log((await api.get('/apps')).data)`,
  },
  {
    id: 'msw',
    title: 'MSW',
    needs: ['plants', 'apps'],
    toText: ({ bareKey, world }) => `import { setupServer } from 'msw/node'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'

const greenhouse = createGreenhouse({ seed: 1 })
const server = setupServer(
  ...createHandlers(greenhouse, { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }),
)
server.listen()

const world = greenhouse.world(${toLiteral(world)})
const response = await fetch('https://api.example.com/v1/apps', {
  headers: { authorization: \`Bearer \${world.key(${toLiteral(bareKey)})}\` },
})
console.log(response.status)
server.close()`,
  },
  {
    id: 'vitest',
    title: 'Vitest',
    needs: ['plants'],
    toText: ({ bareKey }) => `import { test } from 'greenhouse-mock/vitest'

test('lists plants', async ({ api, world, expect }) => {
  const response = await fetch(\`\${api.plantsUrl}/plants\`, { headers: { authorization: ${toLiteral(`Bearer ${bareKey}`)} } })
  expect(response.status).toBe(200)
  expect(world.journal.calls({ operation: 'plants.list' })).toHaveLength(1)
})`,
  },
  {
    id: 'playwright',
    title: 'Playwright',
    needs: ['plants'],
    toText: ({ bareKey }) => `import { test, expect } from 'greenhouse-mock/playwright'

test('lists plants', async ({ world, api, request }) => {
  const response = await request.get(\`\${api.plantsUrl}/plants\`, {
    headers: { authorization: ${toLiteral(`Bearer ${bareKey}`)} },
  })
  expect(response.status()).toBe(200)
  expect(world).toHaveNoViolations()
})`,
  },
]
