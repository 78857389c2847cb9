import { Button, IconButton, Link, Tag, toPlural } from '../../components/index.ts'
import type { AssumptionSummary, RequestEvent } from '../../data/shapes.ts'
import { recentRequestLimit } from './leaned-on.ts'
import { sources } from './sources.ts'

const linked = 3

interface RowProps {
  readonly assumption: AssumptionSummary
  readonly value: string
  readonly requests: readonly RequestEvent[] | undefined
  readonly isTarget: boolean
  readonly onChoose: (value: string) => Promise<void>
}

export function AssumptionRow({ assumption, value, requests = [], isTarget, onChoose }: RowProps) {
  const { id, question, values, source } = assumption
  const { title, meaning } = sources.find((one) => one.id === source)!
  const isSwitched = value !== values[0]
  return (
    <li
      id={`assumption-${id}`}
      class={`assumption ${isSwitched ? 'assumption-switched' : ''}`}
      aria-current={isTarget || undefined}
    >
      <div class="assumption-question breaks">
        <p>{question}</p>
        <code class="muted">{id}</code>
      </div>
      <div class="assumption-answer pair">
        <div class="assumption-values row" role="group" aria-label={`Answer of ${id}`}>
          {values.map((one, place) =>
            values.length === 1 ? (
              <Tag key={one} title="It has no other value.">
                {one}
              </Tag>
            ) : (
              <Button
                key={one}
                pressed={one === value}
                title={place === 0 ? `${one}, the default` : one}
                onClick={one === value ? undefined : () => onChoose(one)}
              >
                {one}
              </Button>
            ),
          )}
        </div>
        {isSwitched && (
          <IconButton icon="undo" label={`Reset ${id} to ${values[0]}`} onClick={() => onChoose(values[0])} />
        )}
      </div>
      <span class="muted" title={meaning}>
        {title}
      </span>
      <Requests id={id} requests={requests} />
    </li>
  )
}

function Requests({ id, requests }: { readonly id: string; readonly requests: readonly RequestEvent[] }) {
  if (requests.length === 0) return <span class="assumption-requests inline-list" />
  const { length } = requests
  return (
    <span class="assumption-requests inline-list">
      <Link
        to={{ view: 'traffic', params: { assumption: id } }}
        title={`Of the last ${recentRequestLimit} requests`}
        aria-label={`${toPlural(length, 'request')} depended on ${id}`}
      >
        {toPlural(length, 'request')}
      </Link>
      {requests.slice(0, linked).map((entry) => (
        <Link
          key={entry.id}
          class="mono"
          to={{ view: 'traffic', rest: [String(entry.id)], params: { assumption: id } }}
          title={`${entry.request.method} ${entry.request.url}`}
          aria-label={`Request ${entry.id}: ${entry.request.method} ${entry.request.url}`}
        >
          #{entry.id}
        </Link>
      ))}
    </span>
  )
}
