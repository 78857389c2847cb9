import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keyIn } from '../../../core/http/urls.ts'
import { toCurl } from '../../../core/text/code.ts'
import { quoteForShell, toLiteral } from '../../../core/text/messages.ts'
import { Fact, Facts, Prose } from '../../components/content.tsx'
import { CodeFrame, CopyCode, Switch } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx'
import { attempt, toastFailure } from '../../components/toast.tsx'
import { nameOfChoice, toChoiceText } from '../../data/choice.ts'
import { useDraft } from '../../data/form.ts'
import { token } from '../../data/kept.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { ScenarioSummary, Start } from '../../data/shapes.ts'
import { CallError } from '../../../control/client/errors.ts'
import { switchOff, switchOn } from '../../frame/switch.ts'
import {
  activeTexts,
  clearedOptionParams,
  draftTexts,
  inputTypeOf,
  OptionsForm,
  optionsOf,
  type OptionTexts,
  paramOf,
  toScenarioChoice,
} from './options-form.tsx'

interface ScenarioDetailProps {
  readonly name: string
  readonly scenario: ScenarioSummary | undefined
  readonly onClose: () => void
}

export function ScenarioDetail({ name, scenario, onClose }: ScenarioDetailProps) {
  return (
    <Detail
      kind="scenario-detail"
      label={`Scenario ${name}`}
      title={scenario?.title ?? name}
      closeLabel="Close"
      onClose={onClose}
    >
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
  const { router, world } = panel
  const { name, description, covers, tags, acts_on, file } = scenario
  const draft = useDraft(`options ${name}`)
  const draftOptions = draft.part<Readonly<Record<string, string>>>('options', {})
  const given = optionsOf(router.route.value.params)
  // Options in the URL win; without them, the options of the draft apply.
  const params = Object.keys(given).length > 0 ? given : draftOptions.value
  useLayoutEffect(() => {
    router.go({ params }, true)
    draftOptions.value = params
  }, [])
  const [active, ...others] = world.active.value.filter((choice) => nameOfChoice(choice) === name)
  const inForce = activeTexts(scenario, active)
  const texts = draftTexts(inForce, params)
  const mistakes = useSignal<OptionTexts>({})
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (Object.keys(mistakes.value).length > 0) root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [mistakes.value])

  const use = async () => {
    mistakes.value = {}
    try {
      await switchOn(panel, toScenarioChoice(scenario, texts))
      setOptions({})
    } catch (error) {
      const errors = error instanceof CallError ? error.errors : []
      const rejected = errors.map(({ path, message }) => [path.split('/').at(-1)!, message] as const)
      mistakes.value = Object.fromEntries(rejected)
      if (!rejected.some(([option]) => option in texts)) toastFailure(error)
    }
  }
  const setOptions = (wanted: OptionTexts) => {
    const changed = Object.entries(wanted).filter(([option, text]) => text !== inForce[option])
    draftOptions.value = Object.fromEntries(changed.map(([option, text]) => [paramOf(option), text]))
    router.go({ params: { ...clearedOptionParams(router.route.peek().params), ...draftOptions.peek() } }, true)
  }
  const change = (option: string, text: string) => {
    const { [option]: _, ...others } = mistakes.peek()
    mistakes.value = others
    setOptions({ ...texts, [option]: text })
  }
  const fill = (wanted: OptionTexts) => {
    mistakes.value = {}
    setOptions(wanted)
  }

  // Before the active scenarios are loaded, the inputs would show other values, and the next press would apply those.
  if (world.state.value === 'loading' && !world.error.value) return <Skeleton lines={12} />
  return (
    <div ref={root}>
      <div class="row detail-facts">
        <CopyCode text={name} />
        <MswMark scenario={scenario} />
        <span class="spacer" />
        <Switch
          label="In use"
          on={active !== undefined}
          onChange={(on) => void (on ? use() : attempt(() => switchOff(panel, name)))}
        />
      </div>
      {world.usedUp.value.includes(name) && (
        <p class="muted">It has acted as often as it may, and does nothing now. Switch it off and on to begin anew.</p>
      )}
      {others.length > 0 && (
        <p class="muted">
          It is on {others.length + 1} times. The options here are those of the first; Order switches each off alone.
        </p>
      )}
      <Prose text={description} />
      <Facts kind="scenario-about">
        <Fact title="Exercises">{covers}</Fact>
        <Fact title="Acts on">{acts_on.length > 0 ? acts_on.join(', ') : 'nothing with these defaults'}</Fact>
        {!scenario.bundled && <Fact title="File">{file ? <code>{file}</code> : 'none: it comes from code'}</Fact>}
        {tags.length > 0 && (
          <Fact title="Tags">
            <span class="inline-list">
              {tags.map((tag) => (
                <Link key={tag} to={{ params: { ...clearedOptionParams(params), search: tag } }}>
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
      <OptionsForm
        scenario={scenario}
        texts={texts}
        inForce={inForce}
        isOn={active !== undefined}
        mistakes={mistakes.value}
        onChange={change}
        onFill={fill}
        onSubmit={use}
      />
      <HowToUse scenario={scenario} texts={texts} />
    </div>
  )
}

function HowToUse({ scenario, texts }: { readonly scenario: ScenarioSummary; readonly texts: OptionTexts }) {
  const { control, world } = usePanel()
  const start = useResource(() => control.call('GET /start'), [])
  return (
    <section class="scenario-how">
      <h3>How to switch this on</h3>
      <Loaded resource={start} lines={4}>
        {(startInfo) => {
          const input = {
            scenario,
            choice: toScenarioChoice(scenario, texts),
            world: world.name.value,
            start: startInfo,
            hasToken: token.value !== '',
          }
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
  readonly world: string
  readonly start: Start
  readonly hasToken: boolean
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
    toText: ({ scenario, choice, world, start }) => {
      const key = Object.keys(start.keys).find((name) => name === 'key_pro') ?? Object.keys(start.keys)[0] ?? '$KEY'
      const url = scenario.acts_on.includes('plants') ? `${start.plants_url}/plants` : `${start.apps_url}/apps`
      const headers = [
        ['Authorization', `Bearer ${keyIn(world, key)}`],
        ['X-Greenhouse-Scenario', toChoiceText(choice)],
      ] as const
      return toCurl({ method: 'GET', url, headers })
    },
  },
  {
    id: 'cli',
    title: 'CLI',
    note: 'At the start, or in a running server.',
    toText: ({ scenario: { file }, choice, world, start, hasToken }) => {
      const text = toWord(toChoiceText(choice))
      const folder = file === undefined ? '' : ` --scenarios ${toWord(folderOf(file))}`
      const inWorld = world === 'default' ? '' : ` --world ${world}`
      const withToken = hasToken ? ' --token "$GREENHOUSE_TOKEN"' : ''
      return `greenhouse-mock serve${folder} --scenario ${text}\ngreenhouse scenario use ${text}${inWorld} --server ${start.plants_url}${withToken}`
    },
  },
  {
    id: 'code',
    title: 'Code',
    note: 'In a test, or anywhere in your code.',
    toText: ({ scenario, choice, world }) => {
      const { name, ...texts } = choice
      const options = Object.entries(texts).map(([option, text]) => [option, toValue(scenario, option, text)])
      const second = options.length === 0 ? '' : `, ${toLiteral(Object.fromEntries(options))}`
      return `const world = greenhouse.world(${world === 'default' ? '' : toLiteral(world)})\nworld.use(${toLiteral(name)}${second})`
    },
  },
  {
    id: 'http',
    title: 'Control API',
    note: 'Adds it to the active scenarios.',
    toText: ({ choice, world, start, hasToken }) => {
      const url = `${start.plants_url}/__greenhouse/worlds/${world}/scenarios`
      const authorization = hasToken ? ([['Authorization', 'Bearer $GREENHOUSE_TOKEN']] as const) : []
      const headers = [...authorization, ['Content-Type', 'application/json'] as const]
      return toCurl({ method: 'POST', url, headers, body: JSON.stringify({ active: [toChoiceText(choice)] }) })
    },
  },
]

function toWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : quoteForShell(text)
}

function folderOf(file: string): string {
  return /^(.*)[/\\]/.exec(file)?.[1] ?? '.'
}

/** Reads an option's text as a number or a boolean, if it is one. */
function toValue({ options }: ScenarioSummary, option: string, text: string): unknown {
  const type = inputTypeOf(options[option]!)
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text))
  return isNumber ? Number(text) : type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text
}

export function MswMark({ scenario: { needs_connection: fault } }: { readonly scenario: ScenarioSummary }) {
  if (fault === undefined) return null
  return (
    <Tag title={`MSW can't produce ${fault}, which needs a connection, so it refuses this scenario.`}>not with MSW</Tag>
  )
}
