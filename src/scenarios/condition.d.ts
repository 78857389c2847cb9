import * as z from 'zod/mini';
import type { Account, Key } from '../core/accounts.ts';
/** Which operations an effect applies to: ids or globs, one or several. */
export declare const on: z.ZodMiniOptional<z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniArray<z.ZodMiniString<string>>]>>;
/** Whom an effect applies to; all that is named must hold. `any` stands for all. */
export declare const where: z.ZodMiniOptional<z.ZodMiniObject<{
    plan: z.ZodMiniOptional<z.ZodMiniEnum<{
        any: "any";
        free: "free";
        lite: "lite";
        pro: "pro";
        pro_plus: "pro_plus";
    }>>;
    account: z.ZodMiniOptional<z.ZodMiniString<string>>;
    key: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$strict>>;
type Where = z.infer<typeof where>;
/** Makes the question whether an operation is meant. */
export declare function operationFilter(patterns: z.infer<typeof on>): (operation: string) => boolean;
/** Makes the question whether a caller is meant. */
export declare function callerFilter(where: Where): (key: Readonly<Key>, account: Readonly<Account>) => boolean;
export {};
