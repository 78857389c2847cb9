/** `malform`: makes one value of a reply wrong; which one, a JSON pointer (`/0/name`) says. */
export declare const malformEffect: import("../effect-kind.ts").EffectKind<unknown>;
