import * as z from 'zod/mini';
/** What creates an app; only the name is required. */
export declare const newAppSchema: z.ZodMiniObject<{
    display_name: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    description: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    model: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    system_prompt: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    welcome_message: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    login_required: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    name: z.ZodMiniString<string>;
}, z.core.$strip>;
/** What changes an app. */
export declare const appChangesSchema: z.ZodMiniObject<{
    display_name: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    description: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    model: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    system_prompt: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    welcome_message: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    login_required: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    name: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$strip>;
/** An app as replies show it. Fields that were never given are `null`. */
export declare const appSchema: z.ZodMiniObject<{
    id: z.ZodMiniString<string>;
    name: z.ZodMiniString<string>;
    display_name: z.ZodMiniNullable<z.ZodMiniString<string>>;
    description: z.ZodMiniNullable<z.ZodMiniString<string>>;
    model: z.ZodMiniNullable<z.ZodMiniString<string>>;
    system_prompt: z.ZodMiniNullable<z.ZodMiniString<string>>;
    welcome_message: z.ZodMiniNullable<z.ZodMiniString<string>>;
    login_required: z.ZodMiniBoolean<boolean>;
    created_at: z.ZodMiniISODateTime;
    updated_at: z.ZodMiniISODateTime;
}, z.core.$strip>;
/** An app as the store keeps it: times are in milliseconds since 1970. */
export declare const appRecordSchema: z.ZodMiniObject<{
    display_name: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    description: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    model: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    system_prompt: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    welcome_message: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    login_required: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    id: z.ZodMiniString<string>;
    account: z.ZodMiniString<string>;
    name: z.ZodMiniString<string>;
    created_at: z.ZodMiniNumber<number>;
    updated_at: z.ZodMiniNumber<number>;
}, z.core.$strict>;
export type App = z.infer<typeof appRecordSchema>;
/** An app as fixture files write it. */
export declare const appFixtureSchema: z.ZodMiniObject<{
    display_name: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    description: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    model: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    system_prompt: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    welcome_message: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString<string>>>;
    login_required: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
    id: z.ZodMiniString<string>;
    account: z.ZodMiniString<string>;
    name: z.ZodMiniString<string>;
    created_at: z.ZodMiniOptional<z.ZodMiniString<string>>;
}, z.core.$strict>;
export declare const apps: import("../../../core/records.ts").CollectionDefinition<{
    display_name?: string | null | undefined;
    description?: string | null | undefined;
    model?: string | null | undefined;
    system_prompt?: string | null | undefined;
    welcome_message?: string | null | undefined;
    login_required?: boolean | undefined;
    id: string;
    account: string;
    name: string;
    created_at: number;
    updated_at: number;
}, {
    display_name?: string | null | undefined;
    description?: string | null | undefined;
    model?: string | null | undefined;
    system_prompt?: string | null | undefined;
    welcome_message?: string | null | undefined;
    login_required?: boolean | undefined;
    id: string;
    account: string;
    name: string;
    created_at: number;
    updated_at: number;
}>;
