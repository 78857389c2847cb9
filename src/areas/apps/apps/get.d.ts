export declare const getApp: import("../../../core/operation.ts").Operation<unknown>;
