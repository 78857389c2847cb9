export declare const deleteApp: import("../../../core/operation.ts").Operation<unknown>;
