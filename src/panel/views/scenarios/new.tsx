import { useSignal } from '@preact/signals'
import { CallError } from '../../../control/client/errors.ts'
import { toJson } from '../../../core/http/json.ts'
import { Button } from '../../components/controls.tsx'
import { confirmed } from '../../components/dialog.tsx'
import { downloadText, toast } from '../../components/toast.tsx'
import { bound, TextField } from '../../components/form/form.tsx'
import { ViewHead } from '../../components/layout.tsx'
import { useDraft, usePanel, useResource } from '../../data/panel.ts'
import { pretty } from '../../data/json.ts'
import type { FileProblem, InlineChoice, OptionDeclaration } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'
import { narrowingOptions, type Declarations, OptionInput, useSuggestions } from './options.tsx'

type Data = Readonly<Record<string, unknown>>

/** A form, and the YAML next to it. The YAML counts: the form shows and changes its common parts. */
export function NewScenario() {
  const panel = usePanel()
  const { control, router } = panel
  const { of, forget } = useDraft('new scenario', { data: newScenario, text: toYaml(newScenario), name: '' })
  const { data, text, name: ownName } = of
  const name = ownName.value || toName(String(data.value['title'] ?? ''))
  /** The text that the form wrote: it need not follow that. */
  const written = useSignal(text.peek())
  const isJson = useSignal(false)
  const start = useResource(() => control.call('GET /start'), [])
  const folder = start.value.value?.scenarios_folder
  const checked = useResource(async () => {
    const body = { text: text.value, ...(isName(name) && { name }) }
    const answer = await control.call('POST /scenarios/check', { body }).catch((error: unknown) => {
      // Greenhouse in a page reads JSON only.
      isJson.value ||= error instanceof CallError
      if (isJson.peek() && body.text === written.peek()) edit({})
      throw error
    })
    if (answer.scenario && body.text === text.peek() && body.text !== written.peek())
      data.value = answer.scenario as Data
    return { ...answer, text: body.text }
  }, [text.value, name])
  const { data: problems = [], scenario, choice } = checked.value.value ?? {}
  const isChecked = checked.value.value?.text === text.value
  const isReady = isChecked && choice !== null && isName(name)

  const edit = (change: Data) => {
    const members = Object.entries({ ...data.peek(), ...change }).filter(([, value]) => value !== undefined)
    data.value = Object.fromEntries(members)
    text.value = written.value = isJson.peek() ? pretty(data.value) : toYaml(data.value)
  }
  const leave = (rest: readonly string[]) => {
    forget()
    router.go({ rest, params: { new: undefined } })
  }
  const save = async (replace = false): Promise<void> => {
    try {
      const body = { text: text.peek(), replace }
      await control.call('PUT /scenarios/{scenario}', { path: { scenario: name }, body })
      toast({ text: `Saved ${name} in ${folder}` })
      leave([name])
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'scenario_exists')) throw error
      if (await confirmed(`Replace ${name}?`, error.message)) await save(true)
    }
  }
  const download = () => downloadText(`${name}.yaml`, text.peek(), 'application/yaml')

  return (
    <>
      <ViewHead
        title="New scenario"
        actions={
          <>
            <Button onClick={() => leave([])} text="Discard" />
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
          <fieldset class="form" disabled={isChecked && scenario === null}>
            <legend class="hidden-text">The common parts of the YAML</legend>
            {Object.entries(heads).map(([member, option]) => (
              <OptionInput
                key={member}
                name={member}
                option={option}
                text={String(data.value[member] ?? '')}
                onType={(typed) => edit({ [member]: typed })}
              />
            ))}
            <OptionInput
              name="name"
              option={{ description: 'The name of the file: a-z, 0-9 and "-"', default: '' }}
              text={name}
              error={isName(name) ? undefined : 'Use only a-z, 0-9 and "-".'}
              onType={(typed) => (ownName.value = typed)}
            />
            <EffectFields data={data.value} onChange={edit} />
          </fieldset>
        </form>
        <div>
          <TextField
            title="YAML"
            isRequired
            kind="input-code"
            rows={16}
            error={checked.error.value?.message}
            {...bound(text)}
          />
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

const heads: Declarations = {
  title: { description: 'The situation in a few words', default: 'My scenario' },
  description: { description: 'What happens, to whom, and when it ends', default: 'Requests are answered with 503.' },
  covers: { description: 'What it tests in a client', default: 'Coping with a failure.' },
}

const defaultsOf = (declared: Declarations): Data =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, one]) => (one.default === '' ? [] : [[name, one.default]])),
  )

const isName = (text: string) => /^[a-z0-9-]+$/.test(text)

function toName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-')
}

const toPlace = ({ line, column }: FileProblem) => (line === null ? 'File' : `Line ${line}, column ${column}`)

interface Deed {
  readonly title: string
  readonly member: string
  readonly fields: Declarations
  readonly kind?: string
}

const malformations = ['missing', 'null', 'wrong-type', 'empty', 'huge', 'extra', 'bad-enum', 'out-of-range']

/** What the form can make a scenario do. All else is written as YAML. */
const deeds: readonly Deed[] = [
  {
    title: 'Answer with a status',
    member: 'respond',
    fields: {
      status: { type: 'integer', min: 200, max: 599, default: 503 },
      body: { description: 'JSON, or empty', default: '' },
    },
  },
  { title: 'Delay the reply', member: 'fault', kind: 'delay', fields: { fixed: { type: 'duration', default: '2s' } } },
  {
    title: 'Make a field wrong',
    member: 'malform',
    fields: {
      field: { description: 'Its name in the reply: name, or data.name', default: 'name' },
      kind: { values: malformations, default: 'wrong-type' },
    },
  },
  { title: 'Cut the connection', member: 'fault', kind: 'reset', fields: {} },
  { title: 'Never answer', member: 'fault', kind: 'timeout', fields: {} },
  { title: 'Expire keys', member: 'keys', fields: { expire: { type: 'duration', default: '0s' } } },
  {
    title: 'Spend a quota',
    member: 'quota',
    fields: {
      window: { values: ['minute', 'day'], default: 'minute' },
      remaining: { type: 'integer', min: 0, default: 0 },
    },
  },
]

const startOf = ({ kind, fields }: Deed): Data => ({ ...(kind !== undefined && { kind }), ...defaultsOf(fields) })

const newScenario: Data = { ...defaultsOf(heads), respond: [startOf(deeds[0]!)] }

const isWhere = (name: string) => ['account', 'key', 'plan'].includes(name)

function EffectFields({ data, onChange }: { readonly data: Data; readonly onChange: (change: Data) => void }) {
  const suggested = useSuggestions()
  const deed = deeds.find(({ member, kind, fields }) => {
    const first = firstOf(data, member)
    return first && (kind === undefined ? Object.keys(fields)[0]! in first : first['kind'] === kind)
  })
  const item = deed ? firstOf(data, deed.member)! : {}
  const where = (item['where'] ?? {}) as Data
  const put = ({ member }: Deed, fields: Data) => {
    const others = (name: string) => (data[name] as readonly unknown[] | undefined)?.slice(1) ?? []
    const left = deed && deed.member !== member ? others(deed.member) : []
    onChange({
      ...(deed && { [deed.member]: left.length > 0 ? left : undefined }),
      [member]: [withoutEmpty(fields), ...(deed?.member === member ? others(member) : [])],
    })
  }
  const change = (name: string, option: OptionDeclaration, text: string) => {
    const isDefault = Object.hasOwn(narrowingOptions, name) && text === String(option.default)
    const value = isDefault ? undefined : name === 'body' ? fromJson(text) : toValue(option, text)
    const callers = withoutEmpty({ ...where, [name]: value })
    const hasCallers = Object.keys(callers).length > 0
    put(deed!, { ...item, ...(isWhere(name) ? { where: hasCallers ? callers : undefined } : { [name]: value }) })
  }
  const textOf = (name: string, option: OptionDeclaration) => {
    const value = (isWhere(name) ? where : item)[name]
    if (value === undefined) return Object.hasOwn(narrowingOptions, name) ? String(option.default) : ''
    return typeof value === 'object' ? toJson(value) : String(value)
  }
  return (
    <>
      <OptionInput
        name="What it does"
        option={{ values: deeds.map(({ title }) => title), default: '' }}
        text={deed?.title ?? ''}
        onType={(title) => {
          const next = deeds.find((one) => one.title === title)
          const { on, where, times } = item
          if (next) put(next, { ...startOf(next), on, where, times })
        }}
      />
      {deed && (
        <div class="columns scenario-part">
          {Object.entries({ ...deed.fields, ...narrowingOptions }).map(([name, option]) => (
            <OptionInput
              key={name}
              name={name}
              option={option}
              text={textOf(name, option)}
              suggested={suggested[name]}
              onType={(text) => change(name, option, text)}
            />
          ))}
        </div>
      )}
    </>
  )
}

function firstOf(data: Data, member: string): Data | undefined {
  const [first] = Array.isArray(data[member]) ? (data[member] as unknown[]) : []
  return typeof first === 'object' && first !== null ? (first as Data) : undefined
}

function withoutEmpty(fields: Data): Data {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))
}

/** A number stays a text while it is none: the check says so. */
function toValue({ type }: OptionDeclaration, text: string): unknown {
  return type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Writes a scenario as people do: a line for each member, and for each item of a list. */
function toYaml(data: Data): string {
  const lines = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? [`${name}:`, ...value.map((item) => `  - ${toFlow(item)}`)]
      : [`${name}: ${toFlow(value)}`],
  )
  return `${lines.join('\n')}\n`
}

function toFlow(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return toJson(value)
  const fields = Object.entries(value).map(([name, part]) => `${toFlow(name)}: ${toFlow(part)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Whether a text means itself in YAML without quotes. */
function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w./*-]*( [\w./*-]+)*$/.test(text) && !/^(true|false|null)$/i.test(text)
}
