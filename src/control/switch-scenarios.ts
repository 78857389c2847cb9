import { RefusedOptionError } from '../core/world/activate.ts'
import { InlineScenarioError, isInline } from '../core/world/inline.ts'
import { toNamedScenario } from '../core/world/scenario-choice.ts'
import type { ScenarioChoice } from '../greenhouse/names.ts'
import { liveOf } from '../greenhouse/live.ts'
import type { World } from '../greenhouse/world.ts'
import { check } from './body.ts'
import { ControlError } from './errors.ts'
import { toPointer } from './field-errors.ts'
import { moreScenariosSchema, scenariosSchema } from './schemas.ts'

/** Switches on the scenarios of a body, in place of the active ones. @throws ControlError that says which options are refused, `/active/0/ms`, or what is wrong with an inline scenario, `/active/0/respond/0/on`. */
export function useOnly(world: World, body: unknown): void {
  const { active } = check(scenariosSchema, body)
  switchOn(active, (choices) => world.useOnly(choices))
}

/** The same beside the active ones, behind them or at a place; one of the same name is replaced. */
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
