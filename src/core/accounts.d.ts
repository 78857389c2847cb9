import * as z from 'zod/mini';
/** Everything that a key can be permitted to do. */
export declare const scopes: readonly ['apps:read', 'apps:write', 'analytics:read', 'webhooks:write', 'deployments:write', 'payments:write', 'plants:read', 'plants:write'];
export type Scope = (typeof scopes)[number];
export declare const accountSchema: z.ZodMiniObject<{
    id: z.ZodMiniString<string>;
    name: z.ZodMiniString<string>;
    email: z.ZodMiniString<string>;
    plan: z.ZodMiniEnum<{
        free: "free";
        lite: "lite";
        pro: "pro";
        pro_plus: "pro_plus";
    }>;
}, z.core.$strict>;
/** A customer of the service. */
export type Account = z.infer<typeof accountSchema>;
export declare const keySchema: z.ZodMiniObject<{
    secret: z.ZodMiniString<string>;
    account: z.ZodMiniString<string>;
    scopes: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniEnum<{
        "analytics:read": "analytics:read";
        "apps:read": "apps:read";
        "apps:write": "apps:write";
        "deployments:write": "deployments:write";
        "payments:write": "payments:write";
        "plants:read": "plants:read";
        "plants:write": "plants:write";
        "webhooks:write": "webhooks:write";
    }>>>;
    expires_at: z.ZodMiniOptional<z.ZodMiniISODateTime>;
    revoked: z.ZodMiniOptional<z.ZodMiniBoolean<boolean>>;
}, z.core.$strict>;
/** An API key of an account. */
export type Key = z.infer<typeof keySchema>;
export declare const accounts: import("./records.ts").CollectionDefinition<{
    id: string;
    name: string;
    email: string;
    plan: "free" | "lite" | "pro" | "pro_plus";
}, {
    id: string;
    name: string;
    email: string;
    plan: "free" | "lite" | "pro" | "pro_plus";
}>;
export declare const keys: import("./records.ts").CollectionDefinition<{
    secret: string;
    account: string;
    scopes?: ("analytics:read" | "apps:read" | "apps:write" | "deployments:write" | "payments:write" | "plants:read" | "plants:write" | "webhooks:write")[] | undefined;
    expires_at?: string | undefined;
    revoked?: boolean | undefined;
}, {
    secret: string;
    account: string;
    scopes?: ("analytics:read" | "apps:read" | "apps:write" | "deployments:write" | "payments:write" | "plants:read" | "plants:write" | "webhooks:write")[] | undefined;
    expires_at?: string | undefined;
    revoked?: boolean | undefined;
}>;
