/** Chance that comes from a seed: the same seed and the same name give the same sequence, on any machine. */
export interface Random {
    /** A number in [0, 1). */
    next(): number;
    /** `<prefix>_` and 16 base-32 characters. */
    id(prefix: string): string;
}
/**
 * Makes the stream of chance named `name` of a seed. Every purpose draws from a stream of its own, so that one more
 * draw here moves nothing there. The generator is sfc32, seeded by FNV-1a over seed and name.
 */
export declare function createRandom(seed: number, name: string): Random;
