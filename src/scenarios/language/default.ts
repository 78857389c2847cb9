import { bundledScenarios } from './bundled.ts'
import { toScenarioPart, type ScenarioPart } from './part.ts'

/**
 * The bundled scenarios, for `createGreenhouse` of `greenhouse-mock/core`.
 * @example createGreenhouse({ areas: [plants], fixtures, scenarios })
 */
export const scenarios: ScenarioPart = /* @__PURE__ */ toScenarioPart(bundledScenarios)
