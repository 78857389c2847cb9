/** `assume`: answers questions of the ledger in another way. */
export declare const assumeEffect: import("../effect-kind.ts").EffectKind<unknown>;
