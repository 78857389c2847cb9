import * as z from 'zod/mini';
/** A 64-bit integer: a number where that is exact, else a bigint. */
export declare const int64: z.ZodMiniPipe<z.ZodMiniUnion<readonly [z.ZodMiniNumber<number>, z.ZodMiniBigInt<bigint>]>, z.ZodMiniTransform<number | bigint, number | bigint>>;
/** The int64 that a value is; `undefined` when it is none. */
export declare function toInt64(value: number | bigint): number | bigint | undefined;
/** What a reply shows of a plant (stated). */
export declare const plantSchema: z.ZodMiniObject<{
    name: z.ZodMiniString<string>;
    tag: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$strip>;
/** What creates a plant (stated). */
export declare const newPlantSchema: z.ZodMiniObject<{
    name: z.ZodMiniString<string>;
    tag: z.ZodMiniOptional<z.ZodMiniString<string>>;
    id: z.ZodMiniPipe<z.ZodMiniUnion<readonly [z.ZodMiniNumber<number>, z.ZodMiniBigInt<bigint>]>, z.ZodMiniTransform<number | bigint, number | bigint>>;
}, z.core.$strip>;
/** Area A's error body (stated). */
export declare const plantErrorSchema: z.ZodMiniObject<{
    error: z.ZodMiniInt32;
    message: z.ZodMiniString<string>;
}, z.core.$strip>;
/** A plant as the store keeps it. */
export interface Plant {
    id: number | bigint;
    name: string;
    tag?: string;
    /** The account that created it. */
    account: string;
    /** Fields that the reference does not know, kept under `plants.create.unknown-fields=keep`. */
    extra?: Record<string, unknown>;
}
export declare const plantRecordSchema: z.ZodMiniType<Plant>;
export declare const plants: import("../../core/records.ts").CollectionDefinition<Plant, Plant>;
