import type { VNode } from 'preact'
import { toJson } from '../../../core/http/json.ts'
import { Button, Detail, EmptyState, Fact, Facts, Link, Loaded, toCountText } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionComparison } from '../../data/shapes.ts'
import { recordEvents } from './events.ts'

interface ComparisonProps {
  readonly name: string
  readonly onRestore: () => unknown
  readonly onClose: () => void
}

export function Comparison({ name, onRestore, onClose }: ComparisonProps) {
  const { api, world } = usePanel()
  const title = `What changed since ${name}`
  const changes = useResource(() => api.compareSnapshot(world.name.value, name), [], {
    reloadOn: [...recordEvents, 'snapshots'],
  })
  return (
    <Detail label={title} title={title} onClose={onClose}>
      <Loaded resource={changes} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No record has changed">
              Change a record, through the API or in the tables, and it appears here.
            </EmptyState>
          ) : (
            <>
              <div class="row data-actions">
                <Button icon="undo" onClick={onRestore}>
                  Restore the snapshot
                </Button>
              </div>
              {list.map((change) => (
                <Change key={change.collection} change={change} />
              ))}
            </>
          )
        }
      </Loaded>
    </Detail>
  )
}

function Change({ change: { collection, added, removed, changed, more } }: { readonly change: CollectionComparison }) {
  const link = (id: string) => (
    <Link class="mono" to={{ view: 'data', rest: [collection, id] }}>
      {id}
    </Link>
  )
  const plain = (id: string) => <span class="mono">{id}</span>
  const showIds = (title: string, ids: readonly VNode[], left: number) =>
    ids.length > 0 && (
      <p>
        <span class="data-change-kind">{title}</span> {joined(ids)}
        <More count={left} />
      </p>
    )
  return (
    <section class="section breaks">
      <h3>{collection}</h3>
      {showIds(`+ ${toCountText(added.length + more.added)} added`, added.map(link), more.added)}
      {showIds(`− ${toCountText(removed.length + more.removed)} removed`, removed.map(plain), more.removed)}
      {changed.map(({ id, fields }) => (
        <div key={id} class="data-changed">
          <p>
            <span class="data-change-kind">± changed</span> {link(id)}
          </p>
          <Facts>
            {fields.map(({ field, before, after }) => (
              <Fact key={field} title={field}>
                <del>{toText(before)}</del> <span aria-hidden="true">→</span> <ins>{toText(after)}</ins>
              </Fact>
            ))}
          </Facts>
        </div>
      ))}
      <More count={more.changed} />
    </section>
  )
}

function More({ count }: { readonly count: number }) {
  return count === 0 ? null : <span class="muted"> and {toCountText(count)} more</span>
}

function joined<T>(parts: readonly T[]) {
  return parts.flatMap((part, place) => (place === 0 ? [part] : [', ', part]))
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'string' ? value : toJson(value)
}
