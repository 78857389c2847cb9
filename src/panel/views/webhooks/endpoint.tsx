import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { Button } from '../../components/controls.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { Badge, Tag, type Tone } from '../../components/marks.tsx'
import { Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { readRecord } from '../../data/control.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { Grade } from '../../data/shapes.ts'

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type Endpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }

export function EndpointView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { control, world } = usePanel()
  const name = world.name.value
  const path = { world: name, id }
  const endpoint = useResource(
    () => readRecord<Endpoint>(control, { ...path, collection: 'webhooks' }),
    [name, id],
    ['records'],
  )
  const grade = useResource(
    () => control.call('GET /worlds/{world}/webhooks/{id}/grade', { path }),
    [name, id],
    ['delivery', 'assumptions'],
  )
  const examine = async () => {
    const { result } = await control.call('POST /worlds/{world}/webhooks/{id}/grade', { path })
    grade.reload()
    toast({ text: `Examined: ${results[result].title}`, kind: result === 'failed' ? 'failed' : 'done' })
  }
  return (
    <Detail label={`Endpoint ${id}`} titleKind="mono" title={endpoint.value.value?.url ?? id} onClose={onClose}>
      <Loaded resource={endpoint}>
        {({ events, account, app }) => (
          <p class="row below">
            {events.map((type) => (
              <Tag key={type}>{type}</Tag>
            ))}
            <span class="muted">
              of {app === null ? 'all apps' : app} of {account}
            </span>
          </p>
        )}
      </Loaded>
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

const results: Readonly<Record<Check['result'], { readonly tone: Tone; readonly title: string }>> = {
  passed: { tone: 'good', title: 'passed' },
  failed: { tone: 'bad', title: 'failed' },
  unknown: { tone: 'plain', title: 'not known' },
}

function ResultBadge({ result }: Pick<Check, 'result'>) {
  return <Badge tone={results[result].tone}>{results[result].title}</Badge>
}
