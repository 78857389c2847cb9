import { Loaded, ViewHead } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { ProblemsBar } from '../../frame/problems.tsx'
import { FirstSteps } from './first-steps.tsx'
import { OverviewQuotas } from './quotas.tsx'
import { ConnectionInfo } from './where.tsx'

export default function Overview() {
  const { api, world } = usePanel()
  const start = useResource(() => Promise.all([api.start(), api.keys(world.name.value)]), [], {
    reloadOn: ['keys', 'records', 'clock'],
  })
  return (
    <>
      <ViewHead title="Overview">
        {world.seed.value !== undefined && <span class="muted">seed {world.seed.value}</span>}
      </ViewHead>
      <ProblemsBar />
      <Loaded resource={start} lines={14}>
        {([startInfo, keys]) => (
          <>
            <ConnectionInfo start={startInfo} keys={keys} />
            <FirstSteps start={startInfo} keys={keys} />
          </>
        )}
      </Loaded>
      <OverviewQuotas />
    </>
  )
}
