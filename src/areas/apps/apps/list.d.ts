/** The caller's apps (stated), newest first (ours). */
export declare const listApps: import("../../../core/operation.ts").Operation<unknown>;
