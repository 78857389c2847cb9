import type { AnswersOf, ControlAction, InputsOf } from '../call.ts'
import { accountActions } from './accounts.ts'
import { caseActions } from './cases.ts'
import { clockActions } from './clock.ts'
import { journalActions } from './journal.ts'
import { recordActions } from './records.ts'
import { scenarioActions } from './scenarios.ts'
import { serverActions } from './server.ts'
import { webhookActions } from './webhooks.ts'
import { snapshotActions, worldActions } from './worlds.ts'

const table = [
  ...serverActions,
  ...worldActions,
  ...scenarioActions,
  ...clockActions,
  ...journalActions,
  ...caseActions,
  ...recordActions,
  ...snapshotActions,
  ...accountActions,
  ...webhookActions,
] as const

export const controlActions: readonly ControlAction[] = table

/** The input of each route, in its query or body. */
export type Inputs = InputsOf<(typeof table)[number]>

/**
 * What each route answers; for a stream, the data of an event. `undefined`: 204, without a body.
 */
export type Answers = AnswersOf<(typeof table)[number]>

export type RouteName = keyof Answers

/** Returns the name of an action's route: `GET /worlds/{world}`. */
export function routeOf({ method, path }: ControlAction): RouteName {
  return `${method} ${path}` as RouteName
}
