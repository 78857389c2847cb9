import { useSignal } from '@preact/signals'
import { Button, DialogForm, pretty, SelectField, TextField, toast, toPlural } from '../../components/index.ts'
import { parseTypedJson } from '../../components/form/draft.ts'
import type { Api } from '../../data/api.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { exampleOf } from '../../data/schema-example.ts'
import { useFailure } from '../../data/use-failure.ts'
import type { WebhookEndpoint } from './status.tsx'

const maxApps = 200

const notSet = { value: '', title: 'not set' }

interface TriggerProps {
  readonly types: readonly string[]
  readonly endpoints: readonly WebhookEndpoint[]
  readonly type: string
  readonly onClose: () => void
}

export function Trigger({ types, endpoints, type: first, onClose }: TriggerProps) {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const accounts = useResource(() => api.accounts(name), [name]).value.value ?? []
  const apps = useResource(() => api.records(name, 'apps', { limit: maxApps }), [name]).value.value?.data ?? []
  const draft = useDraft(`trigger ${first}`)
  const type = draft.part('type', types.includes(first) ? first : types[0]!)
  const account = draft.part('account', '')
  const app = draft.part('app', '')
  const data = draft.part('data', '')
  const source = draft.part('source', '')
  const mistake = useSignal('')
  const failure = useFailure()
  // Computed on each render: a computed signal would miss endpoints that load after the dialog opened.
  const listening = endpoints.filter(
    (endpoint) =>
      endpoint.enabled &&
      endpoint.events.includes(type.value) &&
      (account.value === '' || endpoint.account === account.value) &&
      (app.value === '' || endpoint.app === null || endpoint.app === app.value),
  )

  const fillIn = async () => {
    const wanted = type.peek()
    const before = data.peek()
    const [example, from] = await readExample(api, name, wanted)
    // The event or the text may have changed meanwhile.
    if (type.peek() !== wanted || data.peek() !== before) return
    data.value = pretty(example)
    source.value = from
    mistake.value = ''
  }
  const submit = async () => {
    mistake.value = ''
    let eventData: Readonly<Record<string, unknown>> | undefined
    if (data.peek().trim() !== '')
      try {
        eventData = parseTypedJson(data.peek()) as Readonly<Record<string, unknown>>
      } catch (error) {
        return void (mistake.value = (error as Error).message)
      }
    const made = await api.trigger(name, {
      type: type.peek(),
      ...(eventData !== undefined && { data: eventData }),
      ...(account.peek() !== '' && { account: account.peek() }),
      ...(app.peek() !== '' && { app_id: app.peek() }),
    })
    if (made.length === 0)
      throw new Error(`${type.peek()} was sent to nobody: no enabled webhook of this account subscribes to it.`)
    toast({ text: `${type.peek()} goes to ${toPlural(made.length, 'endpoint')}` })
    draft.forget()
    onClose()
    router.go({ rest: ['deliveries', made[0]!.id], params: { attempt: undefined } })
  }

  return (
    <DialogForm
      title="Trigger an event"
      width="wide"
      action="Trigger"
      onSubmit={submit}
      draft={draft}
      failure={failure}
      onClose={onClose}
      foot={
        <Button kind="quiet" onClick={fillIn}>
          Fill in an example
        </Button>
      }
    >
      <SelectField
        title="Event"
        isRequired
        value={type.value}
        options={types}
        onChoose={(chosen) => {
          type.value = chosen
          data.value = source.value = mistake.value = failure.value = ''
        }}
      />
      <p class="muted">
        {listening.length === 0
          ? 'No enabled webhook subscribes to it: nobody will get it.'
          : `Listening: ${listening.map(({ url }) => url).join(', ')}`}
      </p>
      <div class="webhooks-whose">
        <SelectField
          title="Account"
          hint="By default that of the app, or of the first endpoint that subscribes."
          value={account.value}
          options={[notSet, ...accounts.map(({ id, plan }) => ({ value: id, title: `${id} (${plan})` }))]}
          onChoose={(chosen) => {
            account.value = chosen
            app.value = ''
          }}
        />
        <SelectField
          title="App"
          hint="The app of the event."
          value={app.value}
          options={[
            notSet,
            ...apps
              .filter((one) => account.value === '' || one['account'] === account.value)
              .map((one) => ({ value: String(one['id']), title: `${String(one['name'])} (${String(one['id'])})` })),
          ]}
          onChoose={(chosen) => (app.value = chosen)}
        />
      </div>
      <TextField
        title="Data"
        hint={source.value || 'JSON. By default, the event is about the newest record that fits.'}
        error={mistake.value}
        kind="input-code"
        rows={10}
        of={data}
      />
    </DialogForm>
  )
}

async function readExample(api: Api, world: string, type: string): Promise<[data: unknown, source: string]> {
  const [last] = await api.deliveries(world, { type, limit: 1 })
  const sent = (last?.payload as { readonly data?: unknown } | undefined)?.data
  if (sent !== undefined) return [sent, `From ${last!.id}, the newest delivery of this event.`]
  const document = await api.openApi(world)
  const schema = Object.values(document.webhooks?.[type]?.post.requestBody?.content ?? {})[0]?.schema
  const part = schema?.properties?.['data']
  return [part ? exampleOf(part, document) : {}, 'Generated from the schema of this event.']
}
