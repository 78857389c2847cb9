import { useSignal } from '@preact/signals'
import { CallError } from '../../../control/client/errors.ts'
import { toJson } from '../../../core/http/json.ts'
import { Loaded } from '../../components/content.tsx'
import { Button, confirmed } from '../../components/controls.tsx'
import { downloadText, toast } from '../../components/toast.tsx'
import { TextField } from '../../components/form/form.tsx'
import { ViewHead } from '../../components/layout.tsx'
import { useAnswer, usePanel, useResource } from '../../data/panel.ts'
import { pretty } from '../../components/words.ts'
import type { FileProblem, InlineChoice, OptionDeclaration } from '../../data/shapes.ts'
import { switchOn } from '../../frame/world-actions.ts'
import { type Declarations, narrowingOptions, OptionInput, type OptionTexts, useSuggestions } from './options.tsx'

export function NewScenario() {
  const { control, router } = usePanel()
  const { new: id = '' } = router.route.value.params
  const begun = useResource(async () => {
    if (!/^\d+$/.test(id)) return { text: undefined }
    const path = { id }
    const query = { as: 'scenario' }
    const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', { path, query })
    for (const note of notes) toast({ text: note })
    return { text }
  }, [id])
  return <Loaded resource={begun}>{({ text }) => <Editor text={text} />}</Loaded>
}

/** A form that writes the YAML next to it, until one edits that by hand. */
function Editor({ text: given }: { readonly text: string | undefined }) {
  const panel = usePanel()
  const { control, router, surface } = panel
  const { on, name: called } = router.route.peek().params
  const typed = useSignal<OptionTexts>(on === undefined ? {} : toAnswer(on))
  const own = useSignal(given)
  // Greenhouse in a page reads JSON only.
  const format = surface.close ? 'JSON' : 'YAML'
  const written = format === 'JSON' ? pretty(toScenario(typed.value)) : toYaml(toScenario(typed.value))
  const text = own.value ?? written
  const name = typed.value['name'] ?? toName(called ?? textOf(typed.value, 'title', heads['title']!))
  const deed = deedOf(typed.value)
  const suggested = useSuggestions()
  const folder = useAnswer('GET /start').value.value?.scenarios_folder
  const checked = useResource(async () => {
    const body = { text, ...(isName(name) && { name }) }
    return { ...(await control.call('POST /scenarios/check', { body })), text }
  }, [text, name])
  const { data: problems = [], choice } = checked.value.value ?? {}
  const isReady = checked.value.value?.text === text && choice !== null && isName(name)

  const leave = (...rest: readonly string[]) => router.go({ view: 'scenarios', rest })
  const save = async (replace = false): Promise<void> => {
    try {
      await control.call('PUT /scenarios/{scenario}', { path: { scenario: name }, body: { text, replace } })
      toast({ text: `Saved ${name} in ${folder}` })
      leave(name)
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'scenario_exists')) throw error
      if (await confirmed(`Replace ${name}?`, error.message)) await save(true)
    }
  }
  const download = () => downloadText(`${name}.${format.toLowerCase()}`, text, `application/${format.toLowerCase()}`)
  const input = (name: string, option: OptionDeclaration) => ({
    name,
    option,
    text: textOf(typed.value, name, option),
    suggested: suggested[name],
    onType: (text: string) => (typed.value = { ...typed.peek(), [name]: text }),
  })

  return (
    <>
      <ViewHead
        title="New scenario"
        actions={
          <>
            <Button onClick={() => leave()} text="Discard" />
            <Button
              icon="play"
              title="Switch it on in this world, without a file"
              disabled={!isReady}
              onClick={() => switchOn(panel, choice as InlineChoice)}
              text="Try"
            />
            <Button icon="download" disabled={!isReady} onClick={download} text="Download" />
            {folder !== undefined && (
              <Button kind="primary" disabled={!isReady} onClick={() => save()} text={`Save in ${folder}`} />
            )}
          </>
        }
      />
      <div class="columns-fit halves">
        <form class="form" aria-label="New scenario" noValidate onSubmit={(event) => event.preventDefault()}>
          <fieldset class="form" disabled={own.value !== undefined}>
            <legend class="hidden-text">What the {format} says</legend>
            {Object.entries(heads).map(([member, option]) => (
              <OptionInput key={member} {...input(member, option)} />
            ))}
            <OptionInput {...input(what, ofDeed)} />
            <div class="columns scenario-part">
              {Object.entries({ ...deed.fields, ...narrowingOptions }).map(([name, option]) => (
                <OptionInput key={name} {...input(name, option)} />
              ))}
            </div>
          </fieldset>
          <OptionInput
            {...input('name', ofName)}
            text={name}
            error={isName(name) ? undefined : 'Use only a-z, 0-9 and "-".'}
          />
        </form>
        <div>
          <TextField
            title={format}
            isRequired
            kind="input-code"
            rows={16}
            error={checked.error.value?.message}
            text={text}
            onType={(text) => (own.value = text === written ? undefined : text)}
          />
          {own.value !== undefined && (
            <p class="row muted">
              You write the {format} yourself now.
              <Button kind="quiet" onClick={() => (own.value = undefined)} text="Write it from the form again" />
            </p>
          )}
          <div role="status" aria-label="Mistakes">
            <ul>
              {problems.map((problem) => (
                <li key={toPlace(problem) + problem.message}>
                  <span class="muted">{toPlace(problem)}</span> {problem.message}
                </li>
              ))}
            </ul>
            {isReady && <p class="muted">No mistakes.</p>}
          </div>
          {folder === undefined && (
            <p class="muted">To save it here, start the server with --scenarios DIR. Until then, download it.</p>
          )}
        </div>
      </div>
    </>
  )
}

const isName = (text: string) => /^[a-z0-9-]+$/.test(text)

function toName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-')
}

const toPlace = ({ line, column }: FileProblem) => (line === null ? 'File' : `Line ${line}, column ${column}`)

const heads: Declarations = {
  title: { description: 'The situation in a few words', default: 'My scenario' },
  description: { description: 'What happens, to whom, and when it ends', default: 'Requests are answered with 503.' },
  covers: { description: 'What it tests in a client', default: 'Coping with a failure.' },
}

const ofName: OptionDeclaration = { description: 'The name of the file: a-z, 0-9 and "-"', default: '' }

const toAnswer = (on: string): OptionTexts => ({
  title: `Answer ${on}`,
  description: `The next call to ${on} is answered with 500.`,
  covers: 'Coping with this answer.',
  status: '500',
  on,
  times: '1',
})

type Deed = { member: string; kind?: string; fields?: Declarations }

const malformations = ['missing', 'null', 'wrong-type', 'empty', 'huge', 'extra', 'bad-enum', 'out-of-range']

/** What the form can make a scenario do. All else is written as YAML. */
const deeds: Readonly<Record<string, Deed>> = {
  'Answer with a status': {
    member: 'respond',
    fields: {
      status: { type: 'integer', min: 200, max: 599, default: 503 },
      body: { description: 'JSON, or empty', default: '' },
    },
  },
  'Delay the reply': { member: 'fault', kind: 'delay', fields: { fixed: { type: 'duration', default: '2s' } } },
  'Make a field wrong': {
    member: 'malform',
    fields: {
      field: { description: 'Its name in the reply: name, or data.name', default: 'name' },
      kind: { values: malformations, default: 'wrong-type' },
    },
  },
  'Cut the connection': { member: 'fault', kind: 'reset' },
  'Never answer': { member: 'fault', kind: 'timeout' },
  'Expire keys': { member: 'keys', fields: { expire: { type: 'duration', default: '0s' } } },
  'Spend a quota': {
    member: 'quota',
    fields: {
      window: { values: ['minute', 'day'], default: 'minute' },
      remaining: { type: 'integer', min: 0, default: 0 },
    },
  },
}

const what = 'What it does'

const ofDeed: OptionDeclaration = { values: Object.keys(deeds), default: Object.keys(deeds)[0]! }

const deedOf = (texts: OptionTexts) => deeds[textOf(texts, what, ofDeed)]!

const textOf = (texts: OptionTexts, name: string, option: OptionDeclaration) => texts[name] ?? String(option.default)

type Data = Readonly<Record<string, unknown>>

function toScenario(texts: OptionTexts): Data {
  const { kind, member, fields } = deedOf(texts)
  const head = Object.entries(heads).map(([name, option]) => [name, textOf(texts, name, option)])
  const values = Object.entries({ ...fields, ...narrowingOptions }).flatMap(([name, option]) => {
    const text = textOf(texts, name, option)
    const isLeftOut = text === '' || (Object.hasOwn(narrowingOptions, name) && text === String(option.default))
    return isLeftOut ? [] : [[name, toValue(name, option, text)]]
  })
  const { account, key, plan, on, times, ...item } = Object.fromEntries(values)
  const where = account || key || plan ? { account, key, plan } : undefined
  return { ...Object.fromEntries(head), [member]: [{ ...(kind !== undefined && { kind }), ...item, on, where, times }] }
}

function toValue(name: string, { type }: OptionDeclaration, text: string): unknown {
  // A number stays a text while it is none, and so does JSON: the check says so.
  if (type === 'integer' && /^\d{1,15}$/.test(text)) return Number(text)
  if (name !== 'body') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toYaml(data: Data): string {
  const lines = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? [`${name}:`, ...value.map((item) => `  - ${toFlow(item)}`)]
      : [`${name}: ${toFlow(value)}`],
  )
  return `${lines.join('\n')}\n`
}

function toFlow(value: unknown): string {
  if (typeof value === 'string') return isPlainYaml(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return toJson(value)
  const fields = Object.entries(value).filter(([, part]) => part !== undefined)
  return `{ ${fields.map(([name, part]) => `${toFlow(name)}: ${toFlow(part)}`).join(', ')} }`
}

function isPlainYaml(text: string): boolean {
  return /^[A-Za-z_][\w./*-]*( [\w./*-]+)*$/.test(text) && !/^(true|false|null)$/i.test(text)
}
