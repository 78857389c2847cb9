/** `keys`: lets keys expire (so long after the scenario was switched on) or be revoked. */
export declare const keysEffect: import("../effect-kind.ts").EffectKind<unknown>;
