import { countOf, toVisible } from '../../core/text/messages.ts'
import type { JournalRecord } from '../../core/journal/journal-record.ts'
import { toShownOutline } from '../../core/journal/journal-entry.ts'
import type { Violation, ViolationRule } from '../../core/journal/violation.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'

const maxGroups = 200

interface Group {
  readonly rule: ViolationRule
  readonly operation: string
  count: number
  readonly example: Violation & { readonly method: string; readonly url: string; readonly world: string }
}

export function countViolations(greenhouse: Greenhouse, ignored: readonly ViolationRule[]) {
  const groups = new Map<string, Group>()
  let requests = 0
  let violationsOfOthers = 0
  const count = (record: JournalRecord) => {
    if (record.leftAt === 0) return
    const broken = record.journal.validate(record).filter(({ rule }) => !ignored.includes(rule))
    if (broken.length === 0) return
    requests++
    const { method, url, world, violations } = toShownOutline(record)
    const { operation = '(no operation)' } = record
    for (const violation of violations) {
      const { rule } = violation
      if (ignored.includes(rule)) continue
      const key = `${rule} ${operation}`
      const group = groups.get(key)
      if (group) group.count++
      else if (groups.size < maxGroups)
        groups.set(key, { rule, operation, count: 1, example: { ...violation, method, url, world } })
      else violationsOfOthers++
    }
  }
  const end = greenhouse.observe(count)
  return {
    get requests() {
      return requests
    },
    toText: () => toText([...groups.values()], requests, violationsOfOthers),
    end,
  }
}

function toText(groups: Group[], requests: number, others: number): string {
  if (requests === 0) return ''
  const sorted = groups.toSorted((one, other) => other.count - one.count)
  return [
    `${requests} ${requests === 1 ? 'request breaks' : 'requests break'} the contract:`,
    ...sorted.map(
      ({ rule, operation, count, example: { message, method, url, world } }) =>
        `\n  ${rule}  ${operation}  ${countOf(count, 'time')}\n    ${toVisible(message)}\n    ${toVisible(method)} ${toVisible(url)}${world === 'default' ? '' : `  world=${toVisible(world)}`}`,
    ),
    ...(others === 0 ? [] : [`\n  … and ${others} of other rules and operations`]),
    '',
  ].join('\n')
}
