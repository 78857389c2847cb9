import type { ActiveScenario, Effect } from './effect.ts';
/** What lies over a world while one request is answered: the assumptions in force, and the effects by the step that they act on. */
export interface Overlay {
    readonly scenarios: readonly ActiveScenario[];
    readonly assumptions: ReadonlyMap<string, string>;
    readonly keys: readonly Effect[];
    readonly plans: readonly Effect[];
    readonly limiters: readonly Effect[];
    readonly responses: readonly Effect[];
    readonly malformations: readonly Effect[];
}
/** Lays scenarios over a world's assumptions, in the order of their activation: of two that decide the same, the last one counts. */
export declare function createOverlay(scenarios: readonly ActiveScenario[], assumptions: ReadonlyMap<string, string>): Overlay;
