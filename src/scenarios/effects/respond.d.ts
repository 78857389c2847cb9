/** `respond`: gives a fixed reply in place of the operation's: an error of the catalogue, or a status with headers and a JSON body. */
export declare const respondEffect: import("../effect-kind.ts").EffectKind<unknown>;
