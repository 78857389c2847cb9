import { useComputed } from '@preact/signals'
import {
  Button,
  downloadText,
  EmptyState,
  Loaded,
  pretty,
  useActions,
  useEscape,
  ViewHead,
} from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { OperationList } from './list.tsx'
import { OperationView } from './operation.tsx'
import { matches, toOperations } from './operations.ts'

export default function Docs() {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const document = useResource(() => api.openApi(name), [name], {
    reloadOn: ['assumptions'],
  })
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
          >
            OpenAPI document
          </Button>
        }
      />
      <div class={`split ${shown ? 'docs-open' : ''}`}>
        <div class="split-list">
          <Loaded resource={document} lines={16}>
            {() =>
              found.length === 0 ? (
                <EmptyState title="No operation matches the filter">
                  <Button onClick={() => router.setParam('search', undefined)}>Clear the filter</Button>
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
              <Button onClick={close}>Show all of them</Button>
            </EmptyState>
          </aside>
        )}
      </div>
    </>
  )
}
