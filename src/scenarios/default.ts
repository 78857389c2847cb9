import { bundledScenarios } from './bundled.ts'
import { toScenarioPart, type ScenarioPart } from './part.ts'

/** Every scenario that comes with the package. */
export const scenarios: ScenarioPart = /* @__PURE__ */ toScenarioPart(bundledScenarios)
