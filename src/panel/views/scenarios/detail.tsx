import { useSignal } from '@preact/signals'
import { keyIn } from '../../../core/text/world-key.ts'
import { toCurl } from '../../../output/code.ts'
import { quoteForShell, toLiteral } from '../../../core/text/messages.ts'
import {
  EmptyState,
  Fact,
  Facts,
  Loaded,
  Prose,
  Skeleton,
  Hint,
} from '../../components/content.tsx'
import { CodeFrame, CopyCode, Switch } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { Tag } from '../../components/marks.tsx'
import { type ActiveEntry, toChoiceText } from '../../data/choice.ts'
import { useAnswer, usePanel } from '../../data/panel.ts'
import { token } from '../../data/surface.ts'
import type { ScenarioSummary, Start, Texts } from '../../data/control.ts'
import { switchOff, switchOn } from '../../frame/world-actions.ts'
import { activeTexts, OptionsForm, optionsOf, toScenarioChoice } from './options.tsx'

export function ScenarioDetail({
  name,
  scenario,
  onClose,
}: {
  name: string
  scenario: ScenarioSummary | undefined
  onClose: () => void
}) {
  return (
    <Detail label={`Scenario ${name}`} title={scenario?.title ?? name} onClose={onClose}>
      {scenario ? (
        <Known scenario={scenario} />
      ) : (
        <EmptyState
          title={`There is no scenario ${name.startsWith('“') ? name : `“${name}”`}`}
          text="If it is in a folder of your own, start the server with --scenarios DIR."
        />
      )}
    </Detail>
  )
}

function Known({ scenario }: { scenario: ScenarioSummary }) {
  const panel = usePanel()
  const { world } = panel
  const { name, description, rejected } = scenario
  const active = world.active.value.find((one) => one.name === name)
  const inForce = activeTexts(scenario, active)
  const typed = useSignal<Texts>({})
  const texts = { ...inForce, ...typed.value }
  const setTexts = (wanted: Texts) => {
    const changed = Object.entries(wanted).filter(([option, text]) => text !== inForce[option])
    typed.value = Object.fromEntries(changed)
  }
  const use = async () => {
    await switchOn(panel, toScenarioChoice(scenario, texts))
    typed.value = {}
  }

  // Before the active scenarios are loaded, the inputs would show other values, and the next press
  // would apply those.
  if (world.state.value === 'loading' && !world.error.value) return <Skeleton />
  return (
    <>
      <div class="row detail-facts">
        <CopyCode text={name} />
        <MswMark scenario={scenario} />
        <span class="spacer" />
        <label class="line">
          <Switch
            label="In use"
            on={active !== undefined}
            rejected={rejected}
            onChange={(on) => (on ? use() : switchOff(panel, name))}
          />
          In use
        </label>
      </div>
      {rejected !== undefined && (
        <p class="callout callout-warning below">Rejected here: {rejected}</p>
      )}
      {active && <InUse active={active} all={world.active.value} />}
      <Prose text={description} />
      <OptionsForm
        {...{
          scenario,
          texts,
          inForce,
        }}
        isOn={active !== undefined}
        onChange={setTexts}
        onSubmit={use}
      />
      <HowToUse scenario={scenario} texts={texts} />
      <ScenarioFacts scenario={scenario} />
    </>
  )
}

/** Answers to why a scenario that is on does not act as expected. */
function InUse({ active, all }: { active: ActiveEntry; all: readonly ActiveEntry[] }) {
  const { length } = all.filter(({ name }) => name === active.name)
  return (
    <>
      {active.isUsedUp && (
        <Hint text="It has acted as often as it may, and does nothing now. Switch it off and on to begin again." />
      )}
      {length > 1 && (
        <p class="muted">
          It is on {length} times. The options here are those of the first; the bar above switches
          each off alone.
        </p>
      )}
      {all.length > 1 && (
        <p class="muted below">
          No. {all.indexOf(active) + 1} of {all.length} in use. Each acts on the result of the one
          before it; when two decide the same thing, the last one wins.
        </p>
      )}
    </>
  )
}

function ScenarioFacts({ scenario }: { scenario: ScenarioSummary }) {
  const { name, covers, tags, acts_on, file, bundled } = scenario
  return (
    <Facts>
      <Fact title="Exercises">{covers}</Fact>
      <Fact title="Acts on">{acts_on.join(', ') || 'nothing with these defaults'}</Fact>
      {!bundled && (
        <Fact title="File">{file ? <code>{file}</code> : 'none: it comes from code'}</Fact>
      )}
      <Fact
        title="Tags"
        items={tags.map((tag) => (
          <Link to={{ params: { search: tag } }} text={tag} />
        ))}
      />
      <Fact title="Traffic">
        <Link to={{ view: 'traffic', params: { scenario: name } }}>Requests that it changed</Link>
      </Fact>
    </Facts>
  )
}

function HowToUse({ scenario, texts }: { scenario: ScenarioSummary; texts: Texts }) {
  const { world } = usePanel()
  return (
    <section class="scenario-how">
      <h3>How to switch this on</h3>
      <Loaded resource={useAnswer('GET /start')}>
        {(start) => (
          <Tabs
            label="How to switch this on"
            param="how"
            tabs={toHowTos(scenario, texts, world.name.value, start).map(
              ([id, title, note, text]) => ({
                id,
                title,
                render: () => (
                  <>
                    <p class="muted">{note}</p>
                    <CodeFrame text={text} what={`how to switch on ${scenario.name}`} />
                  </>
                ),
              }),
            )}
          />
        )}
      </Loaded>
    </section>
  )
}

type HowTo = readonly [id: string, title: string, note: string, text: string]

function toHowTos(
  scenario: ScenarioSummary,
  texts: Texts,
  world: string,
  start: Start,
): readonly HowTo[] {
  const { plants_url: plants } = start
  const { name, ...options } = toScenarioChoice(scenario, texts)
  const text = toChoiceText({ name, ...options })
  const values = Object.entries(options).map(([option, value]) => [
    option,
    toOptionValue(scenario, option, value),
  ])
  const second = values.length === 0 ? '' : `, ${toLiteral(Object.fromEntries(values))}`
  const use = `world.use(${toLiteral(name)}${second})`
  const isLocked = token.value !== ''
  const folder =
    scenario.file === undefined ? '' : ` --scenarios ${toWord(folderOf(scenario.file))}`
  const rest = `${world === 'default' ? '' : ` --world ${world}`} --server ${plants}${isLocked ? ' --token "$GREENHOUSE_TOKEN"' : ''}`
  const commands = [
    `greenhouse-mock serve${folder} --scenario ${toWord(text)}`,
    `greenhouse-mock scenario use ${toWord(text)}${rest}`,
  ]
  const named = world === 'default' ? '' : toLiteral(world)
  return [
    ['header', 'Header', 'For one request.', toExampleRequest(scenario, text, world, start)],
    ['cli', 'CLI', 'At the start, or in a running server.', commands.join('\n')],
    [
      'code',
      'Code',
      'In a test, or anywhere in your code.',
      `const world = greenhouse.world(${named})\n${use}`,
    ],
    [
      'yaml',
      'YAML',
      'In greenhouse.config.yaml: on from the start.',
      `use:\n  - ${JSON.stringify(text)}`,
    ],
  ]
}

function toExampleRequest(
  { acts_on }: ScenarioSummary,
  choice: string,
  world: string,
  start: Start,
) {
  const { plants_url: plants, apps_url: apps, keys } = start
  const key = 'key_pro' in keys ? 'key_pro' : (Object.keys(keys)[0] ?? '$KEY')
  return toCurl({
    method: 'GET',
    url: acts_on.includes('plants') ? `${plants}/plants` : `${apps}/apps`,
    headers: [
      ['Authorization', `Bearer ${keyIn(world, key)}`],
      ['X-Greenhouse-Scenario', choice],
    ],
  })
}

function toWord(text: string): string {
  if (/^[\w./:=-]+$/.test(text)) return text
  return quoteForShell(text)
}

function folderOf(file: string): string {
  return /^(.*)[/\\]/.exec(file)?.[1] ?? '.'
}

function toOptionValue(scenario: ScenarioSummary, option: string, text: string): unknown {
  const { type, default: fallback } = optionsOf(scenario)[option] ?? {}
  const wanted = type ?? typeof fallback
  if (wanted === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  const isNumber = wanted === 'integer' || wanted === 'number'
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  return text
}

export function MswMark({ scenario: { needs_connection: fault } }: { scenario: ScenarioSummary }) {
  if (fault === undefined) return null
  return (
    <Tag
      title={`MSW can't produce ${fault}, which needs a connection, so it rejects this scenario.`}
      text="not with MSW"
    />
  )
}
