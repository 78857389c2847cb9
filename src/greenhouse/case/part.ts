import { History, HistoryBudget } from '../../core/world/history.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { keepInPage, type KeptWorld } from './keep-in-page.ts'
import type { Case } from './types.ts'
import { toCase, toCaseInSteps, toState, type CaseInSteps, type CaseQuery, type CaseSettings } from './to-case.ts'

/** The part that adds `world.toCase`. */
export interface CasePart {
  readonly part: 'case'
  /** Returns a function that creates the history of a world. @internal */
  openHistories(): () => History
  /** @internal */
  toCase(world: LiveWorld, settings: CaseSettings, query?: CaseQuery): Case
  /** @internal */
  toCaseInSteps(world: LiveWorld, settings: CaseSettings, query?: CaseQuery): CaseInSteps
  /** @internal */
  toState(world: LiveWorld, settings: CaseSettings): Case
  /** Keeps the state of the world `default` in a page's storage. Returns a function that stops this. @internal */
  keepInPage(kept: KeptWorld, kind: 'session' | 'local'): () => void
}

/** Adds `world.toCase` to worlds and the option `persist`, for `createGreenhouse` of `greenhouse-mock/core`. */
export const cases: CasePart = {
  part: 'case',
  openHistories() {
    const budget = new HistoryBudget()
    return () => new History(budget)
  },
  toCase,
  toCaseInSteps,
  toState,
  keepInPage,
}
