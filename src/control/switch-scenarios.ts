import { RefusedOptionError } from '../core/world/activate.ts'
import { InlineScenarioError, isInline } from '../core/world/inline.ts'
import { toNamedScenario } from '../core/world/scenario-choice.ts'
import type { ScenarioChoice } from '../greenhouse/types/names.ts'
import { liveOf } from '../greenhouse/assembly/live.ts'
import type { World } from '../greenhouse/world.ts'
import { check } from './body.ts'
import { ControlError } from './errors.ts'
import { toPointer } from '../scenarios/pointer.ts'
import { moreScenariosSchema, scenariosSchema } from './schemas.ts'

export function useOnly(world: World, body: unknown): void {
  const { active } = check(scenariosSchema, body)
  switchOn(active, (choices) => world.useOnly(choices))
}

/** Adds the scenarios of a body to the active ones, at the end or at `place`; one with the same name is replaced. */
export function useToo(world: World, body: unknown): void {
  const { active, place } = check(moreScenariosSchema, body)
  switchOn(active, (choices) => liveOf(world).useAll(choices, place))
}

function switchOn(active: readonly unknown[], use: (choices: ScenarioChoice[]) => void): void {
  try {
    use(active as ScenarioChoice[])
  } catch (error) {
    if (error instanceof InlineScenarioError) {
      const place = (active as unknown[]).indexOf(error.given)
      const fields = error.findings.map(({ path, message }) => ({
        path: toPointer(['active', place, ...path]),
        message,
      }))
      throw new ControlError(400, 'invalid_request', error.message, fields)
    }
    if (!(error instanceof RefusedOptionError)) throw error
    const place = active.findIndex((choice) => !isInline(choice) && toNamedScenario(choice).name === error.scenario)
    const fields = error.options.map((option) => ({
      path: toPointer(['active', place, option]),
      message: error.reason,
    }))
    throw new ControlError(400, 'invalid_request', error.message, fields)
  }
}
