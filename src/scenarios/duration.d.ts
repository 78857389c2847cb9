import * as z from 'zod/mini';
/** A length of time that is not negative: `90s`, `1h30m`, or milliseconds. */
export declare const duration: z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>]>;
