import { FilterSelect, Loaded, toPlural, ViewHead } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { ReportCardTable } from './card.tsx'
import { ErrorPaths } from './error-paths.tsx'

export default function Evidence() {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const evidence = useResource(() => api.evidence(name), [name], {
    reloadOn: ['request', 'delivery', 'journal-cleared'],
  })
  const { result = '' } = router.route.value.params
  const shown = evidence.value.value
  return (
    <>
      <ViewHead
        title="Evidence"
        actions={shown && <span class="muted">from {toPlural(shown.card.requests, 'request')}</span>}
      >
        <FilterSelect param="result" label="Result" any="Any result" options={['failed', 'passed', 'not exercised']} />
      </ViewHead>
      <Loaded resource={evidence} lines={12}>
        {({ card, coverage }) => (
          <>
            <ReportCardTable card={card} result={result} />
            <ErrorPaths coverage={coverage} />
          </>
        )}
      </Loaded>
    </>
  )
}
