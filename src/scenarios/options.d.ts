import * as z from 'zod/mini';
/** What a scenario file declares of one option. */
export declare const optionSchema: z.ZodMiniObject<{
    description: z.ZodMiniOptional<z.ZodMiniString<string>>;
    type: z.ZodMiniOptional<z.ZodMiniEnum<{
        boolean: "boolean";
        integer: "integer";
        number: "number";
        string: "string";
    }>>;
    values: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>, z.ZodMiniBoolean<boolean>]>>>;
    default: z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniNumber<number>, z.ZodMiniBoolean<boolean>]>;
}, z.core.$strict>;
export type OptionDeclaration = z.infer<typeof optionSchema>;
/** The options of a scenario in full: the defaults, and what is chosen over them, read as the declared type. @throws RangeError */
export declare function readOptions(scenario: string, declared: Readonly<Record<string, OptionDeclaration>>, chosen: Readonly<Record<string, unknown>>): Record<string, unknown>;
/** Puts the options' values in place of `${name}` wherever a file's strings hold it. A string that is nothing else becomes the value itself. */
export declare function fillIn(value: unknown, options: Readonly<Record<string, unknown>>): unknown;
