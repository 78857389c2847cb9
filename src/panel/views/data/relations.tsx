import { Fact, Facts, Link, toCountText } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { EditorProps } from './editor.tsx'
import { recordEvents } from './events.ts'
import { wherePrefix } from './query.ts'

export function Relations({ id, collection, collections, record }: EditorProps) {
  const { api, world } = usePanel()
  const inward = collections.flatMap((other) =>
    Object.entries(other.relations)
      .filter(([, target]) => target === collection.name)
      .map(([field]) => ({ other, field })),
  )
  const counts = useResource(
    () =>
      Promise.all(
        inward.map(async ({ other, field }) => {
          const { total = 0 } = await api.records(world.name.value, other.name, { where: { [field]: id }, limit: 0 })
          return total
        }),
      ),
    [],
    { reloadOn: recordEvents },
  ).value.value
  const outward = Object.entries(collection.relations).filter(([field]) => typeof record[field] === 'string')
  if (outward.length + inward.length === 0) return null
  return (
    <Facts kind="data-relations">
      {outward.length > 0 && (
        <Fact title="Belongs to">
          <span class="inline-list">
            {outward.map(([field, target]) => (
              <span key={field}>
                <span class="muted">{field} </span>
                <Link class="mono" to={{ view: 'data', rest: [target, record[field] as string] }}>
                  {record[field] as string}
                </Link>
              </span>
            ))}
          </span>
        </Fact>
      )}
      {inward.length > 0 && (
        <Fact title="Has">
          <span class="inline-list">
            {inward.map(({ other, field }, place) => (
              <span key={`${other.name} ${field}`}>
                {counts?.[place] === 0 ? (
                  <span class="muted">no {other.name}</span>
                ) : (
                  <Link to={{ view: 'data', rest: [other.name], params: { [wherePrefix + field]: id } }}>
                    {other.name}
                    {counts && ` ${toCountText(counts[place]!)}`}
                  </Link>
                )}
              </span>
            ))}
          </span>
        </Fact>
      )}
    </Facts>
  )
}
