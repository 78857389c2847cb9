import type { RequestEvent } from '../../../control/events/types.ts'
import { toVisibleJson } from '../../../core/text/messages.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { lineFormatOf } from '../../output/log-colours.ts'
import { toLogLine, toNamedWorld } from '../../output/log-line.ts'
import type { Terminal } from '../../terminal.ts'

export function createEntryWriter(
  { json }: { readonly json: boolean },
  { stdout, env }: Pick<Terminal, 'stdout' | 'env'>,
): (entry: RequestEvent) => string {
  if (json) return (entry) => toVisibleJson(JSON.stringify(entry)) + '\n'
  const lineFormat = lineFormatOf(stdout, env)
  return ({ at, world, request, response, ...rest }) =>
    toLogLine(
      {
        ...rest,
        time: toTimestamp(at),
        method: request.method,
        status: response.status,
        path: request.url,
        world: toNamedWorld(world, request.url),
      },
      lineFormat,
    )
}
