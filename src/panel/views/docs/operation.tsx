import { Badge, Detail, Link, Tag, type Tone } from '../../components/index.ts'
import type { OpenApi } from '../../data/open-api.ts'
import { MethodLabel, Path } from './method.tsx'
import type { DocsOperation as Shape } from './operations.ts'
import { RepliesView } from './replies.tsx'
import { SchemaView } from './schema-view.tsx'
import { Try } from './try.tsx'

const sources: Readonly<Record<string, { readonly tone: Tone; readonly title: string }>> = {
  stated: { tone: 'good', title: 'stated by the reference' },
  published: { tone: 'good', title: 'published elsewhere' },
  convention: { tone: 'note', title: 'a convention of well-known APIs' },
  ours: { tone: 'plain', title: 'ours' },
}

interface OperationProps {
  readonly operation: Shape
  readonly document: OpenApi
  readonly onClose: () => void
}

export function OperationView({ operation: shown, document, onClose }: OperationProps) {
  const { operation, method, path } = shown
  const source = sources[operation['x-greenhouse-source']]
  const media = Object.values(operation.requestBody?.content ?? {})[0]
  const assumptions = Object.entries(operation['x-greenhouse-assumptions'] ?? {})
  const scope = operation['x-greenhouse-scope']
  return (
    <Detail
      kind="docs-detail"
      label={shown.id}
      titleKind="docs-title"
      title={
        <>
          <MethodLabel method={method} /> <Path path={path} />
        </>
      }
      onClose={onClose}
    >
      <div class="row detail-facts">
        <b>{operation.summary}</b>
        <span class="mono muted">{shown.id}</span>
        {scope !== undefined && <Tag title="The scope that a key needs">{scope}</Tag>}
        {source && <Badge tone={source.tone}>{source.title}</Badge>}
      </div>
      <Try operation={shown} document={document} />
      {media && (
        <section class="section" aria-label="Body">
          <h3 class="docs-part">Body</h3>
          <SchemaView schema={media.schema} document={document} />
        </section>
      )}
      <RepliesView operation={operation} document={document} />
      {assumptions.length > 0 && (
        <section class="section" aria-label="Assumptions">
          <h3 class="docs-part">Assumptions that its replies depend on</h3>
          <ul class="inline-list">
            {assumptions.map(([id, value]) => (
              <li key={id}>
                <Link class="mono" to={{ view: 'assumptions', rest: [id] }}>
                  {id}
                </Link>{' '}
                <Tag>{value}</Tag>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Detail>
  )
}
