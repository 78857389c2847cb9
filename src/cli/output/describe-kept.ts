import type { Kept } from '../../core/world/origin.ts'

const maxWorlds = 5

export function describeUnchanged({ scenarios, records }: Kept, server: string, hasToken: boolean): string {
  const lines = scenarios.map(
    ({ world, scenario, reason }) => `The scenario "${scenario}" is unchanged in the world "${world}": ${reason}`,
  )
  const [first] = records
  if (!first) return lines.map((line) => `${line}\n`).join('')
  for (const { world, collections } of records.slice(0, maxWorlds))
    lines.push(`The world "${world}" keeps its own ${toList(collections)}: requests or tests have changed them.`)
  if (records.length > maxWorlds) lines.push(`So do ${records.length - maxWorlds} other worlds.`)
  const token = hasToken ? `-H 'Authorization: Bearer <the token>' ` : ''
  lines.push(
    `To start ${records.length === 1 ? 'it' : 'one'} from the files: curl -X POST ${token}${server}/__greenhouse/worlds/${first.world}/reset`,
  )
  return lines.map((line) => `${line}\n`).join('')
}

function toList(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
