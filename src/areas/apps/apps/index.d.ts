/** What can be done with apps. */
export declare const appOperations: import("../../../core/operation.ts").Operation<unknown>[];
