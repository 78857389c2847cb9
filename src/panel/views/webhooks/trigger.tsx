import { Dialog, Select } from '../../components/controls.tsx'
import { SchemaForm } from '../../components/form/schema-form.tsx'
import { toast } from '../../components/toast.tsx'
import { toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import type { JsonSchema, RecordValue } from '../../data/control.ts'
import { nameOfEndpoint, type WebhookEndpoint } from './endpoints.tsx'

interface TriggerProps {
  type: string
  types: readonly string[]
  endpoints: readonly WebhookEndpoint[]
}

export function Trigger({ type, types, endpoints }: TriggerProps) {
  const { control, router } = usePanel()
  const close = () => router.setParam('trigger')
  const listening = endpoints
    .filter(({ enabled, events }) => enabled && events.includes(type))
    .map(nameOfEndpoint)
  const send = async ({ receiver, data }: RecordValue) => {
    const to = endpoints.find((one) => nameOfEndpoint(one) === receiver)
    const { data: made } = await control.call('POST /worlds/{world}/events', {
      type,
      data: data as RecordValue | undefined,
      account: to?.account,
      app_id: to?.app ?? undefined,
    })
    const [first] = made
    if (!first)
      throw new Error(
        `${type} was sent to nobody: no enabled webhook of this account subscribes to it.`,
      )
    toast(`${type} goes to ${toPlural(made.length, 'endpoint')}`)
    router.go({
      rest: ['deliveries', first.id],
      params: { trigger: undefined },
    })
  }
  return (
    <Dialog title="Trigger an event" width="wide" onClose={close}>
      <Select
        label="Event"
        value={type}
        options={types}
        onChange={(chosen) => router.setParam('trigger', chosen)}
      />
      <p class="muted breaks above below">
        {listening.length === 0
          ? 'No enabled webhook subscribes to it: nobody will get it.'
          : `Listening: ${listening.join('; ')}`}
      </p>
      <SchemaForm
        key={type}
        schema={toTriggerSchema(endpoints)}
        value={{}}
        action="Trigger"
        onSubmit={send}
        onCancel={close}
      />
    </Dialog>
  )
}

function toTriggerSchema(endpoints: readonly WebhookEndpoint[]): JsonSchema {
  const receiver: JsonSchema = {
    title: 'Receiver',
    description:
      'The event is about its account and its app. Other endpoints that listen to them get it, too.',
    enum: [...new Set(endpoints.map(nameOfEndpoint))],
  }
  const data: JsonSchema = {
    title: 'Data',
    description: 'JSON. Without it, the event is about the newest record that fits.',
    type: 'object',
  }
  return { properties: { receiver, data } }
}
