import { parseTrustedJson } from '../../../core/http/json.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import type { ScenarioFile } from '../../../scenarios/language/schema.ts'
import { Button, CodeFrame } from '../../components/controls.tsx'
import { Choice, Form, TextField, useTexts } from '../../components/form/form.tsx'
import { draft, withoutSentences, toYaml } from '../../data/own-scenario.ts'
import { usePanel } from '../../data/panel.ts'
import type { JournalEntry } from '../../data/control.ts'
import { switchOn } from '../../frame/world-actions.ts'

const whoever = 'everybody'

const start = {
  status: '503',
  body: '',
  delay: '',
  times: '1',
  who: whoever,
}

/**
 * A form that answers the next calls of an operation, and says what it does as YAML and as code.
 */
export default function AnswerNext({
  entry,
  keyName,
}: {
  entry: JournalEntry
  keyName: string | undefined
}) {
  const panel = usePanel()
  const close = () => panel.router.setParam('act')
  const { operation = '*', response } = entry
  const { texts, input } = useTexts(start)
  const callers = toCallers(entry, keyName)
  const scenario = toAnswerScenario(operation, texts, callers[texts.who])
  const apply = async () => {
    await switchOn(panel, withoutSentences(scenario))
    close()
  }
  return (
    <section class="callout answer-next" aria-label="Answer next">
      <Form
        action="Answer"
        onSubmit={apply}
        onCancel={close}
        more={() => <EditAsYaml scenario={scenario} />}
      >
        <p>{scenario.description}</p>
        <div class="columns-fit">
          <TextField title="Status" isRequired inputMode="numeric" autofocus {...input('status')} />
          <TextField title="Delay" placeholder="2s" {...input('delay')} />
          <TextField
            title="How often"
            hint="Empty for always."
            inputMode="numeric"
            {...input('times')}
          />
          <Choice title="For whom" isRequired values={Object.keys(callers)} {...input('who')} />
        </div>
        <TextField
          title="Body"
          rows={3}
          kind="input-code"
          hint="Empty for the usual one."
          {...input('body')}
        />
        {response.body !== undefined && (
          <Button
            kind="quiet"
            onClick={() => input('body').onType(response.body ?? '')}
            text="Use the body of this reply"
          />
        )}
        <AsCode scenario={scenario} />
      </Form>
    </section>
  )
}

function EditAsYaml({ scenario }: { scenario: ScenarioFile }) {
  const { router } = usePanel()
  const edit = () => {
    draft.write('*', toYaml(scenario))
    router.go({
      view: 'scenarios',
      params: { new: '*' },
    })
  }
  return (
    <Button
      kind="quiet"
      title="Everything that a scenario can do"
      onClick={edit}
      text="Edit as YAML"
    />
  )
}

function AsCode({ scenario }: { scenario: ScenarioFile }) {
  const use = `world.use(${toLiteral(withoutSentences(scenario))})`
  return (
    <details>
      <summary>The same as a scenario, and in a test</summary>
      <CodeFrame text={toYaml(scenario)} what="the scenario as YAML" />
      <CodeFrame text={use} what="the scenario as code" />
    </details>
  )
}

/** For whom a scenario may act, by what the form calls them. */
function toCallers({ account }: JournalEntry, keyName: string | undefined) {
  const callers: Record<string, object | undefined> = { [whoever]: undefined }
  // A scenario names a key by its secret, which nobody knows of one that was generated.
  if (keyName !== undefined && !keyName.startsWith('fp_'))
    callers[`the key ${keyName}`] = { key: keyName }
  if (account !== undefined) callers[`the account ${account}`] = { account }
  return callers
}

function toAnswerScenario(
  on: string,
  { status, body, delay, times, who }: typeof start,
  where: object | undefined,
): ScenarioFile {
  const conditions = {
    on,
    where,
    times: toNumberOrText(times),
  }
  const next = Number(times) > 1 ? `the next ${times} calls` : 'the next call'
  const calls = times === '' ? 'each call' : next
  const by = who === whoever ? '' : ` of ${who}`
  const later = delay === '' ? '' : ` after ${delay}`
  const scenario: ScenarioFile = {
    title: `${on} answers ${status}`,
    description: `Answers ${calls} to ${on}${by} with ${status}${later}.`,
    covers: Number(status) >= 400 ? 'Coping with this failure.' : 'Showing this reply.',
    respond: [
      {
        status: toNumberOrText(status),
        ...toTypedContent(body),
        ...conditions,
      },
    ],
  }
  if (delay === '') return scenario
  return {
    ...scenario,
    fault: [{ kind: 'delay', fixed: delay, ...conditions }],
  }
}

/** A text that is no number stays one: the server says so. */
function toNumberOrText(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  if (/^\d{1,15}$/.test(text.trim())) return Number(text)
  return text
}

function toTypedContent(body: string): {
  body?: unknown
  text?: string
} {
  if (body === '') return {}
  try {
    return { body: parseTrustedJson(body) }
  } catch {
    return { text: body }
  }
}
