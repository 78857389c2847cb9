import { RefusedOptionError } from '../core/world/activate.ts'
import { toNamedScenario } from '../core/world/scenario-choice.ts'
import type { World } from '../greenhouse/world.ts'
import { check } from './body.ts'
import { ControlError } from './errors.ts'
import { toPointer } from './field-errors.ts'
import { scenariosSchema } from './schemas.ts'

/** Switches on the scenarios of a body. @throws ControlError that says which options are refused, `/active/0/ms`. */
export function useOnly(world: World, body: unknown): void {
  const { active } = check(scenariosSchema, body)
  try {
    world.useOnly(active)
  } catch (error) {
    if (!(error instanceof RefusedOptionError)) throw error
    const place = active.findIndex((choice) => toNamedScenario(choice).name === error.scenario)
    const fields = error.options.map((option) => ({
      path: toPointer(['active', place, option]),
      message: error.reason,
    }))
    throw new ControlError(400, 'invalid_request', error.message, fields)
  }
}
