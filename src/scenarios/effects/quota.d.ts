/**
 * `quota`: leaves callers with so many requests in the window in which the scenario was switched on. They spend from a
 * counter of the scenario's own, so that the world's is as it was when the scenario is cleared.
 */
export declare const quotaEffect: import("../effect-kind.ts").EffectKind<unknown>;
