import documents from '../../scenarios/*.yaml'
import type { ScenarioFile } from './schema.ts'

/** The scenarios of `scenarios/`, by name. The build checks them. */
export const bundledScenarios: ReadonlyMap<string, ScenarioFile> = /* @__PURE__ */ byName()

function byName(): Map<string, ScenarioFile> {
  return new Map(
    Object.entries(documents).map(([file, document]) => [file.replace(/\.yaml$/, ''), document as ScenarioFile]),
  )
}
