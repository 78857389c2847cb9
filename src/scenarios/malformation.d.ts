/** The ways in which a value can be wrong. */
export declare const malformations: readonly ['missing', 'null', 'wrong-type', 'empty', 'huge', 'extra'];
export type Malformation = (typeof malformations)[number];
/** Stands for a value that is to be left out. */
export declare const leftOut: unique symbol;
/** The value that is wrong in the way asked for; `leftOut` for `missing`. */
export declare function malformed(value: unknown, kind: Malformation): unknown;
