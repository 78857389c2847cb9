import { useComputed } from '@preact/signals'
import { Fragment } from 'preact'
import { Fact, Facts, JsonTree } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { downloadText } from '../../components/files.ts'
import { useActions, useEscape } from '../../components/keys.ts'
import { Detail, Link, ViewHead } from '../../components/layout.tsx'
import { moveFocus } from '../../components/lists.tsx'
import { Badge, StatusBadge, Tag, type Tone } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { pretty } from '../../data/json.ts'
import {
  type ApiOperation,
  type ApiResponse,
  type DocsOperation,
  examplesOf,
  matches,
  type OpenApi,
  readOpenApi,
  toOperations,
} from '../../data/open-api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { SchemaView } from './schema-view.tsx'
import { Try } from './try.tsx'

export default function Docs() {
  const { control, router, world } = usePanel()
  const name = world.name.value
  const document = useResource(() => readOpenApi(control), [name], ['assumptions'])
  const groups = useComputed(() => (document.value.value ? toOperations(document.value.value) : []))
  const { rest, params } = router.route.value
  const search = params['search'] ?? ''
  const all = groups.value.flatMap(({ list }) => list)
  const shown = all.find(({ id }) => id === rest[0])
  const close = () => router.go({ rest: [] }, true)
  useEscape(rest[0] !== undefined, close)
  useActions(
    all.map(({ id, operation }) => ({
      id: `docs:${id}`,
      title: `Try ${id}`,
      keywords: `docs operation ${operation.summary}`,
      run: () => router.go({ rest: [id] }),
    })),
    [groups.value],
  )
  const found = groups.value
    .map(({ tag, list }) => ({ tag, list: list.filter((one) => matches(one, search)) }))
    .filter(({ list }) => list.length > 0)

  return (
    <>
      <ViewHead
        title="Docs"
        search={{ label: 'Filter operations', placeholder: 'Path, operation' }}
        actions={
          <Button
            icon="download"
            disabled={!document.value.value}
            onClick={() => downloadText('openapi.json', pretty(document.value.peek()), 'application/json')}
            text="OpenAPI document"
          />
        }
      />
      <div class={`split ${shown ? 'docs-open' : ''}`}>
        <div class="split-list">
          <Loaded resource={document} lines={16}>
            {() =>
              found.length === 0 ? (
                <EmptyState title="No operation matches the filter">
                  <Button onClick={() => router.setParam('search', undefined)} text="Clear the filter" />
                </EmptyState>
              ) : (
                <OperationList groups={found} opened={shown?.id} />
              )
            }
          </Loaded>
        </div>
        {shown && document.value.value && (
          <OperationView key={shown.id} operation={shown} document={document.value.value} onClose={close} />
        )}
        {!shown && rest[0] !== undefined && document.value.value && (
          <aside class="split-detail docs-detail">
            <EmptyState title={`There is no operation ${rest[0]}`}>
              <Button onClick={close} text="Show all of them" />
            </EmptyState>
          </aside>
        )}
      </div>
    </>
  )
}

interface ListProps {
  readonly groups: readonly { readonly tag: string; readonly list: readonly DocsOperation[] }[]
  readonly opened: string | undefined
}

function OperationList({ groups, opened }: ListProps) {
  const { router } = usePanel()
  const all = groups.flatMap(({ list }) => list)
  const reachable = all.some(({ id }) => id === opened) ? opened : all[0]?.id
  return (
    <nav aria-label="Operations" class="docs-list" onKeyDown={(event) => moveFocus(event, 'li', 'a')}>
      {groups.map(({ tag, list }) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul>
            {list.map(({ id, method, path, operation }) => (
              <li key={id}>
                <a
                  href={router.href({ rest: [id] })}
                  class="docs-link"
                  aria-current={id === opened ? 'page' : undefined}
                  data-row
                  tabIndex={id === reachable ? 0 : -1}
                  title={id}
                >
                  <MethodLabel method={method} /> <Path path={path} />{' '}
                  <span class="docs-summary is-extra muted">{operation.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

const sources: Readonly<Record<string, { readonly tone: Tone; readonly title: string }>> = {
  stated: { tone: 'good', title: 'stated by the reference' },
  published: { tone: 'good', title: 'published elsewhere' },
  convention: { tone: 'note', title: 'a convention of well-known APIs' },
  ours: { tone: 'plain', title: 'ours' },
}

interface OperationProps {
  readonly operation: DocsOperation
  readonly document: OpenApi
  readonly onClose: () => void
}

function OperationView({ operation: shown, document, onClose }: OperationProps) {
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
          <SchemaView schema={media.schema} schemas={document.components.schemas} />
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

function RepliesView({ operation, document }: { readonly operation: ApiOperation; readonly document: OpenApi }) {
  return (
    <section class="section" aria-label="Replies">
      <h3 class="docs-part">Replies</h3>
      {Object.entries(operation.responses).map(([status, response]) => (
        <details key={status} class="docs-reply">
          <summary>
            <StatusBadge status={Number(status)} /> <span>{response.description}</span>
          </summary>
          <Reply response={response} document={document} />
        </details>
      ))}
    </section>
  )
}

function Reply({ response, document }: { readonly response: ApiResponse; readonly document: OpenApi }) {
  const { headers = {}, content = {} } = response
  const [media] = Object.values(content)
  const examples = media ? examplesOf(media, document) : []
  return (
    <div class="docs-reply-body">
      {media && <SchemaView schema={media.schema} schemas={document.components.schemas} />}
      {!media && <p class="muted">No body.</p>}
      {Object.keys(headers).length > 0 && (
        <Facts kind="docs-headers">
          {Object.entries(headers).map(([name, header]) => (
            <Fact key={name} title={<code>{name}</code>}>
              {('$ref' in header ? document.components.headers[header.$ref.split('/').at(-1)!] : header)?.description}
            </Fact>
          ))}
        </Facts>
      )}
      {examples.length > 0 && (
        <>
          <h4>{examples.length === 1 ? 'Example' : 'Examples'}</h4>
          {examples.map((example, index) => (
            <JsonTree key={index} value={example} open={2} />
          ))}
        </>
      )}
    </div>
  )
}

function MethodLabel({ method }: { readonly method: string }) {
  return <span class={`docs-method docs-method-${method.toLowerCase()}`}>{method}</span>
}

function Path({ path }: { readonly path: string }) {
  return (
    <span class="docs-path mono breaks">
      {path.split(/(?=\/)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
