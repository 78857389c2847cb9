import { Badge, Button, Loaded, toast, type Tone } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { Grade } from '../../data/shapes.ts'

type Check = Grade['checks'][number]

const questions: Readonly<Record<Check['name'], string>> = {
  reachable: 'Accepts valid requests',
  'answers-in-time': 'Answers in time',
  'verifies-signatures': 'Refuses a wrong signature',
  'refuses-stale-timestamps': 'Refuses an old timestamp',
  idempotent: 'Answers a duplicate like the first',
}

const results: Readonly<Record<Check['result'], { readonly tone: Tone; readonly title: string }>> = {
  passed: { tone: 'good', title: 'passed' },
  failed: { tone: 'bad', title: 'failed' },
  unknown: { tone: 'plain', title: 'not known' },
}

export function GradeReport({ webhook }: { readonly webhook: string }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const grade = useResource(() => api.grade(name, webhook), [name, webhook], { reloadOn: ['delivery', 'assumptions'] })
  const value = grade.value.value
  const examine = async () => {
    const { result } = await api.examine(name, webhook)
    grade.reload()
    toast({ text: `Examined: ${results[result].title}`, kind: result === 'failed' ? 'failed' : 'done' })
  }
  return (
    <section class="webhooks-report" aria-label="Receiver report">
      <div class="row">
        <h3>Receiver report</h3>
        {value && <Badge tone={results[value.result].tone}>{results[value.result].title}</Badge>}
        <span class="spacer" />
        <Button icon="play" onClick={examine}>
          Examine
        </Button>
      </div>
      <p class="muted">
        Examine sends four test requests at once: a valid event, the same again, one that is an hour old, and one with a
        wrong signature. They are not deliveries: they cause no retries, and never disable the endpoint.
      </p>
      <Loaded resource={grade} lines={5}>
        {({ checks }) => (
          <ul>
            {checks.map((check) => (
              <li key={check.name}>
                <div class="row">
                  <Badge tone={results[check.result].tone}>{results[check.result].title}</Badge>
                  <b>{questions[check.name]}</b>
                </div>
                <p>{check.why}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
