import * as z from 'zod/mini';
import type { EffectKind } from './effect-kind.ts';
/** Every kind of effect, in the order in which a file's members are documented. */
export declare const effectKinds: readonly EffectKind[];
/** What a scenario can be called. */
export declare const scenarioName: RegExp;
/** What every scenario file says besides its effects. */
export declare const headSchema: z.ZodMiniObject<{
    title: z.ZodMiniString<string>;
    description: z.ZodMiniString<string>;
    covers: z.ZodMiniString<string>;
    options: z.ZodMiniOptional<z.ZodMiniRecord<z.ZodMiniString<string>, z.ZodMiniObject<{
        description: z.ZodMiniOptional<z.ZodMiniString<string>>;
        type: z.ZodMiniOptional<z.ZodMiniEnum<{
            boolean: "boolean";
            integer: "integer";
            number: "number";
            string: "string";
        }>>;
        values: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>, z.ZodMiniBoolean<boolean>]>>>;
        default: z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>, z.ZodMiniBoolean<boolean>]>;
    }, z.core.$strict>>>;
}, z.core.$strip>;
/** A scenario file's content. */
export type ScenarioFile = z.infer<typeof headSchema> & Record<string, unknown>;
