import { bundledScenarios } from './bundled.ts'
import { toScenarioPart, type ScenarioPart } from './part.ts'

/**
 * All bundled scenarios.
 * @example createGreenhouse({ areas: [plants], fixtures, scenarios })
 */
export const scenarios: ScenarioPart = /* @__PURE__ */ toScenarioPart(bundledScenarios)
