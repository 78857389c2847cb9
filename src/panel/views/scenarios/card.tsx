import { attempt, Switch, Tag } from '../../components/index.ts'
import { toChoiceText } from '../../data/choice.ts'
import { usePanel } from '../../data/panel.ts'
import type { PanelChoice, ScenarioSummary } from '../../data/shapes.ts'
import { switchOff, switchOn } from '../../frame/switch.ts'
import { activeTexts, toScenarioChoice } from './option-texts.ts'

interface CardProps {
  readonly scenario: ScenarioSummary
  readonly choice: PanelChoice | undefined
  readonly isOpen: boolean
  readonly onOpen: () => void
}

export function Card({ scenario, choice, isOpen, onOpen }: CardProps) {
  const panel = usePanel()
  const { name, title, description, bundled, file } = scenario
  const changed =
    choice && toChoiceText(toScenarioChoice(scenario, activeTexts(scenario, choice))).slice(name.length + 1)
  return (
    <li class={`scenario ${choice ? 'scenario-on' : ''}`} aria-current={isOpen || undefined}>
      <div class="scenario-head">
        <h3>
          <a
            class="scenario-open"
            href={panel.router.href({ rest: [name] })}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              onOpen()
            }}
          >
            {title}
          </a>
        </h3>
        <Switch
          label={name}
          showLabel={false}
          on={choice !== undefined}
          onChange={(on) => void attempt(() => (on ? switchOn(panel, name) : switchOff(panel, name)))}
        />
      </div>
      <p class="scenario-name row muted breaks">
        <code>{name}</code>
        {changed && <code class="scenario-changed">{changed.replaceAll(',', ' ')}</code>}
        <MswMark scenario={scenario} />
        {!bundled && <Tag title={file ?? 'It was passed to createGreenhouse in code.'}>{file ?? 'from code'}</Tag>}
      </p>
      <p class="scenario-sentence muted">{description}</p>
    </li>
  )
}

export function MswMark({ scenario: { needs_connection: fault } }: { readonly scenario: ScenarioSummary }) {
  if (fault === undefined) return null
  return (
    <Tag title={`MSW can't produce ${fault}, which needs a connection, so it refuses this scenario.`}>not with MSW</Tag>
  )
}
