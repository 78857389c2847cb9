import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { CallError } from '../../../control/client/errors.ts'
import { Loaded, Hint } from '../../components/content.tsx'
import { Button, confirmed } from '../../components/controls.tsx'
import { downloadText, toast } from '../../components/toast.tsx'
import { TextField } from '../../components/form/form.tsx'
import { ViewHead } from '../../components/layout.tsx'
import { toSlug } from '../../../core/text/messages.ts'
import { draft, toYaml } from '../../data/own-scenario.ts'
import { useAnswer, usePanel, useResource } from '../../data/panel.ts'
import type { FileProblem, InlineChoice } from '../../data/control.ts'
import { switchOn } from '../../frame/world-actions.ts'

export default function NewScenario() {
  const { control, router } = usePanel()
  const { new: id = '' } = router.params
  const begun = useResource(async () => {
    const typed = draft.read(id)
    if (typed !== '') return typed
    if (!/^\d+$/.test(id)) return example
    const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', {
      id,
      as: 'scenario',
    })
    for (const note of notes) toast(note)
    return text
  }, [id])
  return <Loaded resource={begun}>{(text) => <Editor key={id} id={id} given={text} />}</Loaded>
}

const example = toYaml({
  title: 'My scenario',
  description: 'Answers each call to plants.list with 503.',
  covers: 'Coping with a failure.',
  respond: [{ on: 'plants.list', status: 503 }],
})

function Editor({ id, given }: { id: string; given: string }) {
  const { router } = usePanel()
  const { text, place, area, type, insert, look } = useTyping(id, given)
  const called = useSignal<string | undefined>(toSlug(router.params['name'] ?? '') || undefined)
  const [, title = ''] = /^title: *(.+)$/m.exec(text.value) ?? []
  const name = called.value ?? toSlug(title)
  const folder = useAnswer('GET /start').value?.scenarios_folder
  const checked = useChecked(text.value, name, place.value)
  const { fits } = checked
  const complete = (event: KeyboardEvent) => {
    const [first] = fits
    if (!(event.ctrlKey && event.key === ' ') || first === undefined) return
    event.preventDefault()
    insert(first)
  }
  return (
    <>
      <ViewHead
        title="New scenario"
        actions={<EditorActions {...{ name, folder, checked }} text={text.value} />}
      />
      <div class="columns-fit halves">
        <div class="form" onKeyUp={look} onClick={look} onKeyDown={complete}>
          <TextField
            title="YAML"
            isRequired
            kind="input-code"
            rows={20}
            error={checked.error?.message}
            hint="Ctrl+Space inserts the first word that fits."
            text={text.value}
            area={area}
            onType={type}
          />
        </div>
        <div class="form">
          <TextField
            title="Name"
            isRequired
            hint='The name of the file: a-z, 0-9 and "-".'
            error={isName(name) ? undefined : 'Use only a-z, 0-9 and "-".'}
            text={name}
            onType={(typed) => (called.value = typed)}
          />
          <div role="group" aria-label="Words that fit" class="row">
            {fits.slice(0, maxFits).map((word) => (
              <Button key={word} kind="quiet" onClick={() => insert(word)} text={word} />
            ))}
          </div>
          <Mistakes {...checked} />
          {folder === undefined && (
            <Hint text="To save it here, start the server with --scenarios DIR. Until then, download it." />
          )}
        </div>
      </div>
    </>
  )
}

/** The typed text, the place of the cursor, and a way to complete the word before it. */
function useTyping(id: string, given: string) {
  const text = useSignal(given)
  const place = useSignal(given.length)
  const area = useRef<HTMLTextAreaElement>(null)
  const type = (typed: string) => {
    text.value = typed
    draft.write(id, typed)
  }
  const look = () => void (place.value = area.current?.selectionEnd ?? 0)
  const insert = (word: string) => {
    const input = area.current
    if (!input) return
    const at = input.selectionEnd
    const words = input.value.slice(0, at).split(/[^\w.*-]/)
    const { length } = words.at(-1) ?? ''
    input.setRangeText(word, at - length, at, 'end')
    type(input.value)
    input.focus()
    look()
  }
  return {
    text,
    place,
    area,
    type,
    insert,
    look,
  }
}

type Checked = ReturnType<typeof useChecked>

function Mistakes({ problems, isReady }: Checked) {
  return (
    <div role="status" aria-label="Mistakes">
      <ul>
        {problems.map((problem) => (
          <li key={toPlace(problem) + problem.message}>
            <small>{toPlace(problem)}</small> {problem.message}
          </li>
        ))}
      </ul>
      {isReady && <Hint text="No mistakes." />}
    </div>
  )
}

function EditorActions({
  name,
  text,
  folder,
  checked: { choice, isReady },
}: {
  name: string
  text: string
  folder: string | undefined
  checked: Checked
}) {
  const panel = usePanel()
  const leave = (...rest: readonly string[]) => {
    draft.forget()
    panel.router.go({
      view: 'scenarios',
      rest,
    })
  }
  const save = async (replace = false): Promise<void> => {
    try {
      const file = {
        scenario: name,
        text,
        replace,
      }
      await panel.control.call('PUT /scenarios/{scenario}', file)
      toast(`Saved ${name} in ${folder}`)
      leave(name)
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'scenario_exists')) throw error
      const lost = 'There is a scenario of that name already. Yours takes its place.'
      if (await confirmed(`Replace ${name}?`, lost)) await save(true)
    }
  }
  return (
    <>
      <Button onClick={() => leave()} text="Discard" />
      <Button
        icon="play"
        title="Switch it on in this world, without a file"
        disabled={!isReady}
        onClick={() => switchOn(panel, choice as InlineChoice)}
        text="Try"
      />
      <Button
        icon="download"
        disabled={!isReady}
        onClick={() => downloadText(`${name}.yaml`, text, 'application/yaml')}
        text="Download"
      />
      {folder !== undefined && (
        <Button
          kind="primary"
          disabled={!isReady}
          onClick={() => save()}
          text={`Save in ${folder}`}
        />
      )}
    </>
  )
}

/** Checks a text as it is typed. `isReady`: the present one has no mistakes. */
function useChecked(text: string, name: string, at: number) {
  const { control } = usePanel()
  const { value, error } = useResource(async () => {
    const file = {
      text,
      name: isName(name) ? name : undefined,
      at,
    }
    return { ...(await control.call('POST /scenarios/check', file)), text }
  }, [text, name, at])
  const { data: problems = [], choice, fits = [], text: ofText } = value ?? {}
  const isReady = ofText === text && choice !== null && isName(name)
  return {
    problems,
    choice,
    fits,
    isReady,
    error,
  }
}

const maxFits = 30

const isName = (text: string) => /^[a-z0-9-]+$/.test(text)

const toPlace = ({ line, column }: FileProblem) => {
  if (line === null) return 'File'
  return `Line ${line}, column ${column}`
}
