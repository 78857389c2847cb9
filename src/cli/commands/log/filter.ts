import type { RequestEvent } from '../../../control/events/types.ts'
import type { LogArguments } from '../../flags/log.ts'

export function createFilter(args: Omit<LogArguments, 'limit'>): (entry: RequestEvent) => boolean {
  const { operation, status, errors, violations, scenario } = args
  const words = args.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  return (entry) =>
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || isOfStatus(entry.response.status, status)) &&
    (!errors || entry.response.status === 0 || entry.response.status >= 400) &&
    (!violations || entry.violations !== undefined) &&
    (scenario === undefined || (scenario === '*' ? entry.scenarios.length > 0 : entry.scenarios.includes(scenario))) &&
    (words.length === 0 || hasWords(entry, words))
}

function isOfStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}

function hasWords(
  { request, response, operation = '', scenarios, reason = '' }: RequestEvent,
  words: string[],
): boolean {
  const text = [request.method, request.url, response.status, operation, ...scenarios, reason].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
