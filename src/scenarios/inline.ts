import type { Contract } from '../core/pipeline/contract.ts'
import { briefMessage, quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { weightOf } from '../core/store/weight.ts'
import { InlineScenarioError, toInlineName, type InlineScenario } from '../core/world/inline.ts'
import type { NamedScenario } from '../core/world/scenario-choice.ts'
import { freeze } from './checked.ts'
import type { EffectKind } from './effect-kind.ts'
import type { Finding } from './finding.ts'
import { read } from './issues.ts'
import { toPlainData } from './plain-data.ts'
import { readMember } from './read-effect.ts'
import { effectKinds, titleSchema } from './schema.ts'

/** What the effects of a scenario ask for, by kind. */
type Parts = readonly { readonly kind: EffectKind; readonly spec: unknown }[]

/** The largest one, in bytes. */
const largest = 2 ** 20

/** How many mistakes a message tells. */
const mostTold = 5

const members = ['title', ...effectKinds.map(({ name }) => name)]

/** What was read of each. */
const known = new WeakMap<object, Parts>()

/**
 * Reads a scenario that is given whole, in code or in JSON: the members of a scenario file that are effects, and a title.
 * @param toName makes a name for one without a title, which is its title then.
 * @throws InlineScenarioError that names what is wrong, and where.
 */
export function readInline(given: object, toName: () => string, contract: Contract): NamedScenario {
  const findings: Finding[] = []
  const data = toPlainData(given, findings) as Record<string, unknown>
  for (const member of Object.keys(data)) if (!members.includes(member)) findings.push(unknownMember(member))
  if (findings.length === 0 && !effectKinds.some(({ name }) => Object.hasOwn(data, name)))
    findings.push({ path: [], message: `it has no effects: expected ${listEffects()}` })
  if (Object.hasOwn(data, 'title'))
    for (const { message } of read(titleSchema, data['title']).findings) findings.push({ path: ['title'], message })
  const parts = effectKinds
    .filter(({ name }) => Object.hasOwn(data, name))
    .map((kind) => {
      const effect = readMember(kind, data[kind.name], contract)
      findings.push(...effect.findings.filter((finding) => !isTold(finding, findings)))
      return { kind, spec: effect.spec }
    })
  // It is kept as it was given and as it was read.
  const bytes = 2 * weightOf(data)
  if (bytes > largest)
    findings.push({ path: [], message: `it takes ${bytes} bytes of memory; the largest takes ${largest}` })
  if (findings.length > 0) throw toError(given, findings)
  const name = Object.hasOwn(data, 'title') ? toInlineName(data['title'] as string) : toName()
  const inline: InlineScenario = { data: freeze({ title: name, ...data }), bytes }
  known.set(inline.data, parts)
  return { name, options: {}, inline }
}

/** What the effects ask for of one that `readInline` gave. */
export function partsOf({ data }: InlineScenario): Parts {
  return known.get(data)!
}

function unknownMember(member: string): Finding {
  const message = `there is no such member; expected one of ${members.join(', ')}.`
  return { path: [member], message: message + suggest(member, [...members, 'name']) }
}

function listEffects(): string {
  return effectKinds.map(({ name }) => name).join(', ')
}

/** Whether a mistake that was found before is at the same place, or above it. */
function isTold({ path }: Finding, findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.path.length > 0 && finding.path.every((step, at) => step === path[at]))
}

function toError(given: object, findings: readonly Finding[]): InlineScenarioError {
  const told = findings
    .slice(0, mostTold)
    .map(({ path, message }) => (path.length === 0 ? message : `${showPath(path)}: ${message}`))
  const more = findings.length > mostTold ? [`and ${findings.length - mostTold} more`] : []
  return new InlineScenarioError(
    briefMessage(`Failed to use an inline scenario: ${[...told, ...more].join('; ')}`),
    given,
    findings.slice(0, 100),
  )
}

/** `respond[0].on` */
function showPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number' || /^\d+$/.test(String(step))) return `[${String(step)}]`
    return /^\w{1,100}$/.test(String(step)) ? `.${String(step)}` : `[${quote(String(step))}]`
  })
  return steps.join('').replace(/^\./, '')
}
