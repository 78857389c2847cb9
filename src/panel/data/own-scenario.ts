import { toJson } from '../../core/http/json.ts'
import type { ScenarioFile } from '../../scenarios/language/schema.ts'
import type { InlineChoice } from './shapes.ts'
import { keepText } from './surface.ts'

/** Returns what switches it on without a file, which needs no sentences. */
export function withoutSentences({
  description: _,
  covers: __,
  ...choice
}: ScenarioFile): InlineChoice {
  return choice
}

const kept = keepText('greenhouse.scenario')

/**
 * What was typed into the editor of scenarios, which survives another view and a reload. `of`: what
 * it began with, as `new` in the URL.
 */
export const draft = {
  read: (of: string) => {
    if (kept.read().startsWith(`${of}\n`)) return kept.read().slice(of.length + 1)
    return ''
  },
  write: (of: string, text: string) => kept.write(`${of}\n${text}`),
  forget: () => kept.write(''),
}

/** Writes a scenario as YAML: each field of an effect in one line. */
export function toYaml(scenario: ScenarioFile): string {
  const lines = Object.entries(scenario).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`${name}:`, ...value.flatMap(toItemLines)]
    return [`${name}: ${toFlow(value)}`]
  })
  return `${lines.join('\n')}\n`
}

function toItemLines(effect: object): string[] {
  const fields = Object.entries(effect).filter(([, value]) => value !== undefined)
  return fields.map(
    ([name, value], index) => `  ${index === 0 ? '-' : ' '} ${name}: ${toFlow(value)}`,
  )
}

function toFlow(value: unknown): string {
  if (typeof value === 'string') {
    if (isPlainYaml(value)) return value
    return JSON.stringify(value)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return toJson(value)
  const fields = Object.entries(value).filter(([, part]) => part !== undefined)
  return `{ ${fields.map(([name, part]) => `${toFlow(name)}: ${toFlow(part)}`).join(', ')} }`
}

function isPlainYaml(text: string): boolean {
  return /^[A-Za-z_][\w./*-]*( [\w./*-]+)*$/.test(text) && !/^(true|false|null)$/i.test(text)
}

export function toScenarioName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-')
}
