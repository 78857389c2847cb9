export declare const createApp: import("../../../core/operation.ts").Operation<unknown>;
