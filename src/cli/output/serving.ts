import { countOf, quoteForShell } from '../../core/text/messages.ts'
import type { RecordingSummary } from '../../contract/recording/recording.ts'
import type { ServingStart } from '../commands/start-serving.ts'

export function describeRecording({
  folder,
  service,
  replies,
  records,
  leftOut,
  failure,
}: RecordingSummary): string {
  if (failure !== undefined)
    return `Failed to write all of the recording in ${folder}: ${failure}.\n`
  const reasons = Object.entries(leftOut).map(([what, why]) => `${what} (${why})`)
  const missing = reasons.length === 0 ? '' : ` Not recorded: ${reasons.join(', ')}.`
  if (replies === 0) return `Recorded nothing of ${service}.${missing}\n`
  const withRecords = records === 0 ? '' : ` --fixtures ${quoteForShell(`${folder}/fixtures`)}`
  const serve = `npx greenhouse-mock serve --scenarios ${quoteForShell(`${folder}/scenarios`)} --scenario recorded${withRecords}`
  return `Recorded ${countOf(replies, 'request')} and ${countOf(records, 'record')} of ${service}.${missing} Serve them with: ${serve}\n`
}

export function toBanner({
  panel_url,
  plants_url,
  apps_url,
  areas,
  keys,
  scenarios,
  targets,
}: ServingStart): string {
  const usable = Object.entries(keys).find(([, { note }]) => note === undefined)?.[0] ?? '<key>'
  const width = Math.max(...Object.keys(keys).map((key) => key.length), 0)
  const listed = targets
    ? ['  those of the service; the mock accepts a key once the service did']
    : Object.entries(keys).map(
        ([key, { plan, note }]) => `  ${key.padEnd(width)}  ${plan}${note ? `, ${note}` : ''}`,
      )
  const served = [
    {
      name: 'plants',
      title: 'Plants',
      url: plants_url,
      example: `'${plants_url}/plants?limit=3'`,
    },
    {
      name: 'apps',
      title: 'Apps  ',
      url: apps_url,
      example: `${apps_url}/apps`,
    },
  ].filter(({ name }) => areas.includes(name))
  const places = served.map(({ name, title, url }) => {
    const target = targets?.[name]
    return `  ${title}  ${url}${target === undefined ? '' : ` → ${target}`}`
  })
  const header = quoteForShell(`Authorization: Bearer ${usable}`)
  const lines = [
    `  Panel   ${panel_url}`,
    ...places,
    '',
    'Greenhouse is serving. Stop it with Ctrl-C.',
    '',
    'Keys',
    ...listed,
    '',
    `Scenarios: ${scenarios.join(', ') || 'none active'}`,
    '',
    'Try',
    ...served.map(({ example }) => `  curl -H ${header} ${example}`),
  ]
  return `${lines.join('\n')}\n`
}
