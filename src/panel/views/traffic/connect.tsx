import { keyIn } from '../../../core/text/world-key.ts'
import { toClientUrl } from '../../../core/http/urls.ts'
import { type RunnerCode, runners, toCurl, toFetch, toFetchCall } from '../../../output/code.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Button, CodeFrame, CopyCode, Select } from '../../components/controls.tsx'
import { Link, Tabs } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { toast } from '../../components/toast.tsx'
import { type Panel, usePanel, useResource } from '../../data/panel.ts'
import { readRecords, toKeyNames, type Start } from '../../data/control.ts'
import { advanceClock, switchOn } from '../../frame/world-actions.ts'

export function Connect() {
  const { control } = usePanel()
  const start = useResource(
    () =>
      Promise.all([
        control.call('GET /start'),
        readRecords<KeyRecord>(control, 'keys'),
        readRecords(control, 'accounts'),
      ]),
    [],
    ['records', 'clock'],
  )
  return (
    <Loaded resource={start}>
      {([about, { data }, accounts]) => {
        const plans = new Map(accounts.data.map(({ id, plan }) => [id, String(plan)]))
        const names = toKeyNames(about.keys)
        const keys = data.flatMap((key) => {
          const name = names.get(key.secret)
          if (name === undefined) return []
          return { ...key, name, plan: plans.get(key.account) }
        })
        return (
          <>
            <BaseUrls start={about} />
            <Code start={about} keys={keys} />
            {about.areas.includes('apps') && <FirstSteps keys={keys} />}
            <Keys keys={keys} areOfService={about.targets !== undefined} />
          </>
        )
      }}
    </Loaded>
  )
}

interface KeyRecord {
  secret: string
  account: string
  expires_at?: string
  revoked?: boolean
}

interface NamedKey extends KeyRecord {
  name: string
  plan: string | undefined
}

function BaseUrls({ start: { plants_url: plants, apps_url: apps, areas } }: { start: Start }) {
  const name = usePanel().world.name.value
  const isDefault = name === 'default'
  const toUrl = toClientUrl({ plants, apps })
  const services = [
    {
      area: 'plants',
      title: 'Plant store',
      url: isDefault ? plants : toUrl(`/~${name}/`).replace(/\/$/, ''),
    },
    {
      area: 'apps',
      title: 'App management',
      url: isDefault ? apps : toUrl(`/~${name}/v1`),
    },
  ].filter(({ area }) => areas.includes(area))
  return (
    <section class="section">
      <h2>Base URLs</h2>
      <dl class="columns-fit">
        {services.map(({ area, title, url }) => (
          <div key={area}>
            <dt>{isDefault ? title : `${title} of this world`}</dt>
            <dd>
              <CopyCode text={url} what={`the URL of the ${title.toLowerCase()}`} />
            </dd>
          </div>
        ))}
      </dl>
      {!isDefault && (
        <p class="muted">
          Or a request names the world in its key, as below, or in the header{' '}
          <code>X-Greenhouse-World</code>, and is sent to <code>{plants}</code>.
        </p>
      )}
    </section>
  )
}

function Keys({ keys, areOfService }: { keys: readonly NamedKey[]; areOfService: boolean }) {
  const { world } = usePanel()
  const now = world.now.value ?? 0
  const columns: readonly Column<NamedKey>[] = [
    {
      title: 'Key',
      cell: ({ name }) => <CopyCode text={keyIn(world.name.value, name)} />,
    },
    { title: 'Plan', cell: ({ plan }) => plan ?? 'none' },
    {
      title: 'Account',
      cell: ({ account }) => account,
      isExtra: true,
    },
    {
      title: 'Note',
      cell: (key) => <small>{noteOfKey(key, now)}</small>,
    },
  ]
  const table =
    keys.length > 0 ? (
      <Table label="Keys" columns={columns} rows={keys} keyOf={({ name }) => name} />
    ) : (
      <EmptyState title="No key can be shown">
        Fixture files can have keys (keys.yaml), and{' '}
        <Link to={{ view: 'data', rest: ['keys'] }}>Data generates them</Link>.
      </EmptyState>
    )
  return (
    <section class="section">
      <h2>Keys</h2>
      {areOfService ? (
        <p>The service has keys of its own: the mock accepts one once the service did.</p>
      ) : (
        table
      )}
    </section>
  )
}

function noteOfKey({ revoked, expires_at: end }: NamedKey, now: number): string {
  if (revoked) return 'revoked'
  if (end === undefined) return ''
  return `${toTimestamp(end) <= now ? 'expired' : 'expires'} ${end}`
}

function Code({ start, keys }: { start: Start; keys: readonly NamedKey[] }) {
  const { router, world } = usePanel()
  const { key: wanted = 'key_pro' } = router.params
  const { name: key } = keys.find(({ name }) => name === wanted) ?? keys[0] ?? {}
  if (key === undefined) return null
  return (
    <section class="section">
      <div class="row">
        <h2>Code</h2>
        <small>for</small>
        <Select
          label="The key of the code"
          value={key}
          options={keys.map(({ name }) => name)}
          onChange={(value) => router.setParam('key', value)}
        />
      </div>
      <Tabs
        label="Code"
        param="code"
        tabs={toSnippets(start, key, world.name.value).map(([id, title, text]) => ({
          id,
          title,
          render: () => <CodeFrame text={text} what={`the code for ${title}`} />,
        }))}
      />
    </section>
  )
}

type Snippet = readonly [id: string, title: string, text: string]

function toSnippets(
  { plants_url: plants, apps_url: apps, areas }: Start,
  key: string,
  world: string,
): Snippet[] {
  const authorization = ['authorization', `Bearer ${keyIn(world, key)}`] as const
  const headers = [authorization, ['content-type', 'application/json'] as const]
  const body = '{"id": 1000, "name": "Ficus", "tag": "tree"}'
  const requests = [
    {
      area: 'plants',
      method: 'GET',
      url: `${plants}/plants?limit=3`,
      headers: [authorization],
    },
    {
      area: 'apps',
      method: 'GET',
      url: `${apps}/apps`,
      headers: [authorization],
    },
    {
      area: 'plants',
      method: 'POST',
      url: `${plants}/plants`,
      headers,
      body,
    },
  ].filter(({ area }) => areas.includes(area))
  const snippets: Snippet[] = [
    ['curl', 'curl', requests.map(toCurl).join('\n')],
    ['fetch', 'fetch', requests.slice(0, 1).map(toFetch).join('')],
  ]
  if (areas.length > 1) snippets.push(['msw', 'MSW', toMsw(key, world)])
  const tests = Object.entries(runners).map(([id, runner]): Snippet => [
    id,
    runner.title,
    toTestCode(runner, key),
  ])
  if (areas.includes('plants')) return [...snippets, ...tests]
  return snippets
}

const toMsw = (key: string, world: string) => `import { setupServer } from 'msw/node'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'

const greenhouse = createGreenhouse({ seed: 1 })
const server = setupServer(
  ...createHandlers(greenhouse, { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }),
)
server.listen()

const world = greenhouse.world(${toLiteral(world)})
const response = await fetch('https://api.example.com/v1/apps', {
  headers: { authorization: \`Bearer \${world.key(${toLiteral(key)})}\` },
})
console.log(response.status)
server.close()`

function toTestCode(runner: RunnerCode, key: string): string {
  const call = toFetchCall("api.plantsUrl + '/plants?limit=3'", {
    method: 'GET',
    headers: [['authorization', `Bearer ${key}`]],
  })
  const lines = [
    `const response = await ${call}`,
    runner.equal('response.status', '200'),
    runner.equal("world.journal.calls({ operation: 'plants.list' }).length", '1'),
  ]
  const indented = (indent: string) => lines.map((line) => `${indent}${line}\n`).join('')
  const test = runner.hasFixtures
    ? `test('lists plants', async ({ world, api }) => {\n${indented('  ')}})`
    : `test(\n  'lists plants',\n  withWorld(async ({ world, api }) => {\n${indented('    ')}  }),\n)`
  return `${runner.toHead('{ seed: 1 }')}\n\n${test}`
}

function FirstSteps({ keys }: { keys: readonly NamedKey[] }) {
  const panel = usePanel()
  const working = keys.filter(
    ({ plan, revoked, expires_at: end }) => plan && !revoked && end === undefined,
  )
  const { name: key, plan } = working.find(({ name }) => name === 'key_free') ?? working[0] ?? {}
  if (key === undefined || plan === undefined) return null
  const spend = () =>
    switchOn(
      panel,
      {
        name: 'rate-limited-plan',
        plan,
      },
      `The quota of the plan ${plan} is spent`,
    )
  const steps = [
    {
      title: 'Send GET /v1/apps',
      run: () => sendFirst(panel, key),
      text: `With ${key}, from this page. It appears under Requests, like every request of your client.`,
    },
    {
      title: `Spend the quota of ${plan}`,
      run: spend,
      text: 'Switches on the scenario rate-limited-plan. Send the request again: it gets 429, and its row says why.',
    },
    {
      title: 'Advance the clock by a day',
      run: () => advanceClock(panel, '1d', 'a day'),
      text: 'The quota refills, and everything that is due by then happens.',
    },
  ]
  return (
    <section class="section">
      <h2>What to try first</h2>
      <ol>
        {steps.map(({ title, run, text }) => (
          <li class="row below" key={title}>
            <Button onClick={run} text={title} />
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

async function sendFirst({ send, world }: Panel, key: string) {
  const headers = {
    authorization: `Bearer ${key}`,
    'x-greenhouse-world': world.name.peek(),
  }
  const { status } = await send('/v1/apps?limit=3', { headers })
  toast(`GET /v1/apps was answered with ${status}`)
}
