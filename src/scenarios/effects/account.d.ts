/** `account`: puts accounts on another plan. */
export declare const accountEffect: import("../effect-kind.ts").EffectKind<unknown>;
