import type { ScenarioSummary } from '../../data/shapes.ts'

export interface Group {
  readonly title: string
  readonly scenarios: readonly ScenarioSummary[]
}

const titles = [
  'Keys and permissions',
  'Plans, limits and payments',
  'Errors',
  'Slowness',
  'Broken replies',
  'Network',
  'Data',
  'Webhooks',
  'Time and long work',
  'Others',
] as const

/** The tags of each group. A scenario belongs to the first group that has one of its tags. */
const tagsByGroup: readonly (readonly [title: (typeof titles)[number], ...tags: string[]])[] = [
  ['Plans, limits and payments', 'payment', 'plan', 'rate-limit', 'quota', 'billing', '429'],
  ['Webhooks', 'webhook'],
  ['Keys and permissions', 'auth', 'key', 'scope', 'permissions', '401', '403'],
  ['Time and long work', 'deployment', 'clock'],
  ['Slowness', 'slow', 'stall', 'latency', 'delay'],
  ['Network', 'network', 'offline', 'econnreset'],
  ['Broken replies', 'malformed', 'body', 'headers'],
  ['Data', 'data', 'list', 'cache', 'pagination'],
  ['Errors', 'error', 'outage', 'retry', 'validation'],
]

export function toGroups(scenarios: readonly ScenarioSummary[]): Group[] {
  return titles
    .map((title) => ({ title, scenarios: scenarios.filter((scenario) => titleOf(scenario) === title) }))
    .filter((group) => group.scenarios.length > 0)
}

function titleOf({ tags }: ScenarioSummary): (typeof titles)[number] {
  const found = tagsByGroup.find(([, ...known]) => known.some((tag) => tags.includes(tag)))
  return found?.[0] ?? (tags.some((tag) => /^[45]\d\d$/.test(tag)) ? 'Errors' : 'Others')
}
