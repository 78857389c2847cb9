import documents from '../../../scenarios/*.yaml'
import type { ScenarioFile } from './schema.ts'

export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [file.replace(/\.yaml$/, ''), document as ScenarioFile]),
  )
}
