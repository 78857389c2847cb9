import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { Button } from '../../components/controls.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { Badge, type Tone } from '../../components/marks.tsx'
import { Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { Grade } from '../../data/shapes.ts'

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }

interface EndpointViewProps {
  readonly id: string
  readonly url: string | undefined
  readonly onClose: () => void
}

export function EndpointView({ id, url = id, onClose }: EndpointViewProps) {
  const { control, world } = usePanel()
  const name = world.name.value
  const path = { world: name, id }
  const grade = useResource(
    () => control.call('GET /worlds/{world}/webhooks/{id}/grade', { path }),
    [name, id],
    ['delivery', 'assumptions'],
  )
  const examine = async () => {
    const { result } = await control.call('POST /worlds/{world}/webhooks/{id}/grade', { path })
    grade.reload()
    toast({ text: `Examined: ${result}`, kind: result === 'failed' ? 'failed' : 'done' })
  }
  return (
    <Detail label={`Endpoint ${id}`} titleKind="mono" title={url} onClose={onClose}>
      <p class="row below">
        <Link to={{ rest: [], params: { webhook: id } }}>Its deliveries</Link>
        <Link to={{ view: 'data', rest: ['webhooks', id] }}>Its record</Link>
      </p>
      <section aria-label="Receiver report">
        <div class="row">
          <h3>Receiver report</h3>
          {grade.value.value && <ResultBadge result={grade.value.value.result} />}
          <span class="spacer" />
          <Button icon="play" onClick={examine} text="Examine" />
        </div>
        <p class="muted below">
          Examine sends four test requests at once: a valid event, the same again, one that is an hour old, and one with
          a wrong signature. They are not deliveries: they cause no retries, and never disable the endpoint.
        </p>
        <Loaded resource={grade} lines={5}>
          {({ checks }) => (
            <ul>
              {checks.map(({ name, result, why }) => (
                <li class="below" key={name}>
                  <ResultBadge result={result} /> <b>{questions[name]}</b>
                  <p>{why}</p>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </Detail>
  )
}

type Check = Grade['checks'][number]

const questions: Readonly<Record<Check['name'], string>> = {
  reachable: 'Accepts valid requests',
  'answers-in-time': 'Answers in time',
  'verifies-signatures': 'Rejects a wrong signature',
  'refuses-stale-timestamps': 'Rejects an old timestamp',
  idempotent: 'Answers a duplicate like the first',
}

const tones: Readonly<Record<Check['result'], Tone>> = { passed: 'good', failed: 'bad', unknown: 'plain' }

function ResultBadge({ result }: Pick<Check, 'result'>) {
  return <Badge tone={tones[result]}>{result}</Badge>
}
