import { useSignal } from '@preact/signals'
import { keyIn } from '../../../core/http/urls.ts'
import { toCurl } from '../../../core/text/code.ts'
import { quoteForShell, toLiteral } from '../../../core/text/messages.ts'
import { EmptyState, Fact, Facts, Loaded, Prose, Skeleton } from '../../components/content.tsx'
import { CodeFrame, CopyCode, Switch } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { Tag } from '../../components/marks.tsx'
import { toChoiceText } from '../../data/choice.ts'
import { useAnswer, usePanel } from '../../data/panel.ts'
import { token } from '../../data/surface.ts'
import type { ScenarioSummary, Start } from '../../data/shapes.ts'
import { switchOff, switchOn } from '../../frame/world-actions.ts'
import { activeTexts, OptionsForm, optionsOf, type OptionTexts, toScenarioChoice } from './options.tsx'

type ScenarioDetailProps = { name: string; scenario: ScenarioSummary | undefined; onClose: () => void }

export function ScenarioDetail({ name, scenario, onClose }: ScenarioDetailProps) {
  return (
    <Detail label={`Scenario ${name}`} title={scenario?.title ?? name} onClose={onClose}>
      {scenario ? (
        <Known scenario={scenario} />
      ) : (
        <EmptyState title={`There is no scenario ${name.startsWith('“') ? name : `“${name}”`}`}>
          <p>If it is in a folder of your own, start the server with --scenarios DIR.</p>
        </EmptyState>
      )}
    </Detail>
  )
}

function Known({ scenario }: { readonly scenario: ScenarioSummary }) {
  const panel = usePanel()
  const { world } = panel
  const { name, description, covers, tags, acts_on, file } = scenario
  const all = world.active.value
  const [active, ...others] = all.filter((one) => one.name === name)
  const inForce = activeTexts(scenario, active)
  const typed = useSignal<OptionTexts>({})
  const texts = { ...inForce, ...typed.value }
  const setTexts = (wanted: OptionTexts) => {
    const changed = Object.entries(wanted).filter(([option, text]) => text !== inForce[option])
    typed.value = Object.fromEntries(changed)
  }
  const use = async () => {
    await switchOn(panel, toScenarioChoice(scenario, texts))
    typed.value = {}
  }

  // Before the active scenarios are loaded, the inputs would show other values, and the next press would apply those.
  if (world.state.value === 'loading' && !world.error.value) return <Skeleton lines={12} />
  return (
    <>
      <div class="row detail-facts">
        <CopyCode text={name} />
        <MswMark scenario={scenario} />
        <span class="spacer" />
        <label class="line">
          <Switch label="In use" on={active !== undefined} onChange={(on) => (on ? use() : switchOff(panel, name))} />
          In use
        </label>
      </div>
      {active?.isUsedUp && (
        <p class="muted">It has acted as often as it may, and does nothing now. Switch it off and on to begin again.</p>
      )}
      {others.length > 0 && (
        <p class="muted">
          It is on {others.length + 1} times. The options here are those of the first; the bar above switches each off
          alone.
        </p>
      )}
      {active && all.length > 1 && (
        <p class="muted below">
          No. {all.indexOf(active) + 1} of {all.length} in use. Each acts on the result of the one before it; when two
          decide the same thing, the last one wins.
        </p>
      )}
      <Prose text={description} />
      <OptionsForm
        scenario={scenario}
        texts={texts}
        inForce={inForce}
        isOn={active !== undefined}
        onChange={setTexts}
        onSubmit={use}
      />
      <HowToUse scenario={scenario} texts={texts} />
      <Facts>
        <Fact title="Exercises">{covers}</Fact>
        <Fact title="Acts on">{acts_on.length > 0 ? acts_on.join(', ') : 'nothing with these defaults'}</Fact>
        {!scenario.bundled && <Fact title="File">{file ? <code>{file}</code> : 'none: it comes from code'}</Fact>}
        {tags.length > 0 && (
          <Fact title="Tags">
            <span class="row">
              {tags.map((tag) => (
                <Link key={tag} to={{ params: { search: tag } }}>
                  {tag}
                </Link>
              ))}
            </span>
          </Fact>
        )}
        <Fact title="Traffic">
          <Link to={{ view: 'traffic', params: { scenario: name } }}>Requests that it changed</Link>
        </Fact>
      </Facts>
    </>
  )
}

function HowToUse({ scenario, texts }: { readonly scenario: ScenarioSummary; readonly texts: OptionTexts }) {
  const { world } = usePanel()
  return (
    <section class="scenario-how">
      <h3>How to switch this on</h3>
      <Loaded resource={useAnswer('GET /start')} lines={4}>
        {(start) => {
          const choice = toScenarioChoice(scenario, texts)
          const input = { scenario, choice, text: toChoiceText(choice), world: world.name.value, start }
          return (
            <Tabs
              label="How to switch this on"
              param="how"
              tabs={howTos.map(({ id, title, note, toText }) => ({
                id,
                title,
                render: () => (
                  <>
                    <p class="muted">{note}</p>
                    <CodeFrame text={toText(input)} what={`how to switch on ${scenario.name}`} />
                  </>
                ),
              }))}
            />
          )
        }}
      </Loaded>
    </section>
  )
}

interface HowToInput {
  readonly scenario: ScenarioSummary
  readonly choice: { readonly name: string } & OptionTexts
  /** The choice in the notation of the header. */
  readonly text: string
  readonly world: string
  readonly start: Start
}

interface HowTo {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly toText: (input: HowToInput) => string
}

const howTos: readonly HowTo[] = [
  {
    id: 'header',
    title: 'Header',
    note: 'For one request.',
    toText: ({ scenario, text, world, start }) => {
      const key = Object.keys(start.keys).find((name) => name === 'key_pro') ?? Object.keys(start.keys)[0] ?? '$KEY'
      const url = scenario.acts_on.includes('plants') ? `${start.plants_url}/plants` : `${start.apps_url}/apps`
      const headers = [
        ['Authorization', `Bearer ${keyIn(world, key)}`],
        ['X-Greenhouse-Scenario', text],
      ] as const
      return toCurl({ method: 'GET', url, headers })
    },
  },
  {
    id: 'cli',
    title: 'CLI',
    note: 'At the start, or in a running server.',
    toText: ({ scenario: { file }, text, world, start }) => {
      const folder = file === undefined ? '' : ` --scenarios ${toWord(folderOf(file))}`
      const inWorld = world === 'default' ? '' : ` --world ${world}`
      const withToken = token.value === '' ? '' : ' --token "$GREENHOUSE_TOKEN"'
      return `greenhouse-mock serve${folder} --scenario ${toWord(text)}\ngreenhouse scenario use ${toWord(text)}${inWorld} --server ${start.plants_url}${withToken}`
    },
  },
  {
    id: 'code',
    title: 'Code',
    note: 'In a test, or anywhere in your code.',
    toText: (input) =>
      `const world = greenhouse.world(${input.world === 'default' ? '' : toLiteral(input.world)})\n${toUse(input)}`,
  },
  {
    id: 'yaml',
    title: 'YAML',
    note: 'In greenhouse.config.yaml: on from the start.',
    toText: ({ text }) => `use:\n  - ${JSON.stringify(text)}`,
  },
  {
    id: 'client',
    title: 'Client',
    note: 'In a running server, from another process.',
    toText: (input) =>
      [
        `import { connect } from 'greenhouse-mock/client'\n`,
        `const greenhouse = await connect(${toLiteral(input.start.plants_url)}${token.value === '' ? '' : ', { token: process.env.GREENHOUSE_TOKEN }'})`,
        `const world = greenhouse.world(${toLiteral(input.world)})`,
        `await ${toUse(input)}`,
      ].join('\n'),
  },
  {
    id: 'http',
    title: 'Control API',
    note: 'Adds it to the active scenarios.',
    toText: ({ text, world, start }) => {
      const url = `${start.plants_url}/__greenhouse/worlds/${world}/scenarios`
      const authorization = token.value === '' ? [] : ([['Authorization', 'Bearer $GREENHOUSE_TOKEN']] as const)
      const headers = [...authorization, ['Content-Type', 'application/json'] as const]
      return toCurl({ method: 'POST', url, headers, body: JSON.stringify({ active: [text] }) })
    },
  },
]

function toUse({ scenario, choice: { name, ...texts } }: HowToInput): string {
  const options = Object.entries(texts).map(([option, text]) => [option, toValue(scenario, option, text)])
  const second = options.length === 0 ? '' : `, ${toLiteral(Object.fromEntries(options))}`
  return `world.use(${toLiteral(name)}${second})`
}

function toWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : quoteForShell(text)
}

function folderOf(file: string): string {
  return /^(.*)[/\\]/.exec(file)?.[1] ?? '.'
}

function toValue(scenario: ScenarioSummary, option: string, text: string): unknown {
  const { type, default: fallback } = optionsOf(scenario)[option]!
  const wanted = type ?? typeof fallback
  const isNumber = (wanted === 'integer' || wanted === 'number') && text.trim() !== '' && Number.isFinite(Number(text))
  return isNumber ? Number(text) : wanted === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text
}

export function MswMark({ scenario: { needs_connection: fault } }: { readonly scenario: ScenarioSummary }) {
  if (fault === undefined) return null
  return (
    <Tag title={`MSW can't produce ${fault}, which needs a connection, so it rejects this scenario.`}>not with MSW</Tag>
  )
}
