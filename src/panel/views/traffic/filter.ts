import type { RequestEvent } from '../../data/shapes.ts'

type Predicate = (entry: RequestEvent) => boolean

const conditions: Readonly<Record<string, (value: string) => Predicate>> = {
  status: (wanted) => (entry) => hasStatus(entry.response.status, wanted),
  operation: (wanted) => (entry) => entry.operation === wanted,
  errors: (wanted) => (entry) => wanted !== 'true' || entry.response.status < 100 || entry.response.status >= 400,
  scenario: (wanted) => (entry) => (wanted === '*' ? entry.scenarios.length > 0 : entry.scenarios.includes(wanted)),
  assumption: (wanted) => (entry) => (entry.assumptions as readonly string[]).includes(wanted),
  violations: (wanted) => (entry) => wanted !== 'true' || entry.violations !== undefined,
  search: (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
    return (entry) => words.every((word) => textOf(entry).includes(word))
  },
}

export function filterEntries(
  entries: readonly RequestEvent[],
  params: Readonly<Record<string, string>>,
): readonly RequestEvent[] {
  const given = Object.entries(conditions).flatMap(([name, toPredicate]) =>
    params[name] ? [toPredicate(params[name])] : [],
  )
  return given.length === 0 ? entries : entries.filter((entry) => given.every((matches) => matches(entry)))
}

function hasStatus(status: number, wanted: string): boolean {
  if (wanted === 'cut') return status === 0
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}

const texts = new WeakMap<RequestEvent, string>()

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
