import type { RequestEvent } from '../../data/shapes.ts'

/** The filter of the list, from the URL. */
export interface TrafficFilter {
  readonly search: string
  /** `''`, `2xx`, `404`, `cut`. */
  readonly status: string
  readonly operation: string
  readonly errorsOnly: boolean
  /** `*` for requests that any scenario changed, or the name of a scenario. */
  readonly scenario: string
  /** The id of the assumption that the requests depended on. */
  readonly assumption: string
  readonly violationsOnly: boolean
}

/** Reads the filter from the URL parameters. */
export function toFilter(params: Readonly<Record<string, string>>): TrafficFilter {
  return {
    search: params['search'] ?? '',
    status: params['status'] ?? '',
    operation: params['operation'] ?? '',
    errorsOnly: params['errors'] === 'true',
    scenario: params['scenario'] ?? '',
    assumption: params['assumption'] ?? '',
    violationsOnly: params['violations'] === 'true',
  }
}

/** Whether every entry matches the filter. */
export function isOpen(filter: TrafficFilter): boolean {
  return Object.values(filter).every((value) => value === '' || value === false)
}

/** Returns a predicate: does the entry match the filter? */
export function toEntryPredicate(filter: TrafficFilter): (entry: RequestEvent) => boolean {
  const { status, operation, errorsOnly, scenario, assumption, violationsOnly } = filter
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  return (entry) => {
    const answered = entry.response.status
    if (status !== '' && !hasStatus(answered, status)) return false
    if (operation !== '' && entry.operation !== operation) return false
    if (errorsOnly && answered >= 100 && answered < 400) return false
    if (scenario !== '' && !(scenario === '*' ? entry.scenarios.length > 0 : entry.scenarios.includes(scenario)))
      return false
    if (assumption !== '' && !entry.assumptions.includes(assumption)) return false
    if (violationsOnly && !entry.violations) return false
    if (words.length === 0) return true
    const text = textOf(entry)
    return words.every((word) => text.includes(word))
  }
}

function hasStatus(status: number, wanted: string): boolean {
  if (wanted === 'cut') return status === 0
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}

const texts = new WeakMap<RequestEvent, string>()

/** Returns the text that a search looks through, cached per entry. */
function textOf(entry: RequestEvent): string {
  let text = texts.get(entry)
  if (text === undefined) {
    const { request, response, operation, key, reason, scenarios, assumptions } = entry
    text = [request.method, request.url, response.status, operation, key, reason, ...scenarios, ...assumptions]
      .join(' ')
      .toLowerCase()
    texts.set(entry, text)
  }
  return text
}
