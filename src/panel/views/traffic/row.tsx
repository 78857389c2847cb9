import { ClockTime, Duration, Mark, StatusBadge, Tag } from '../../components/index.ts'
import type { RequestEvent } from '../../data/shapes.ts'

export function TrafficRow({ entry }: { readonly entry: RequestEvent }) {
  const { at, request, response, operation, pending, key, scenarios, violations, aborted, ms } = entry
  return (
    <div class="traffic-row clip-children">
      <span class="traffic-time muted">
        <ClockTime at={at} isShort />
      </span>
      <StatusBadge status={response.status} pending={pending === true} aborted={aborted === true} />
      <span class="traffic-method">{request.method}</span>
      <span class="traffic-path mono" title={request.url}>
        {request.url}
      </span>
      <span class="traffic-operation muted">{operation ?? 'no operation'}</span>
      <span class="traffic-key muted">{key ?? ''}</span>
      <span class="traffic-broke line" title={violations?.map(({ message }) => message).join('\n')}>
        {violations && (
          <>
            <Mark tone="warning" />
            {violations.length}
            <span class="hidden-text"> slips</span>
          </>
        )}
      </span>
      <span class="traffic-tags">
        {aborted && response.status !== 0 && <Tag>ended early</Tag>}
        {scenarios.map((name) => (
          <Tag key={name}>{name}</Tag>
        ))}
      </span>
      <span class="traffic-ms">{pending ? '…' : <Duration ms={ms} />}</span>
    </div>
  )
}
