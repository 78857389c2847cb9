/** Changes the fields that are sent; the others stay. */
export declare const updateApp: import("../../../core/operation.ts").Operation<unknown>;
