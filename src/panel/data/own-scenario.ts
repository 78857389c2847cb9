import { toYamlLines } from '../../output/yaml-text.ts'
import type { ScenarioFile } from '../../scenarios/language/schema.ts'
import type { InlineChoice } from './control.ts'
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
  const isOpen = (name: string) => Array.isArray(scenario[name])
  return `${[...toYamlLines(scenario, isOpen, () => true)].join('\n')}\n`
}
