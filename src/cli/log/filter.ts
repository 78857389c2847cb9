import type { RequestEvent } from '../../control/events/types.ts'
import type { LogArguments } from '../commands/log.ts'

/** Makes what tells whether a request fits the flags, as the journal's own filters do. */
export function createFilter({
  operation,
  status,
  errors,
  violations,
  scenario,
}: LogArguments): (entry: RequestEvent) => boolean {
  return ({ operation: called, response, violations: broken, scenarios }) =>
    (operation === undefined || called === operation) &&
    (status === undefined || isOfStatus(response.status, status)) &&
    (!errors || response.status === 0 || response.status >= 400) &&
    (!violations || broken !== undefined) &&
    (scenario === undefined || scenarios.includes(scenario))
}

function isOfStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}
