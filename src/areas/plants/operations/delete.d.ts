/** Delete Plant: the one that the path's id names; the reply has no body (stated). */
export declare const deletePlant: import("../../../core/operation.ts").Operation<unknown>;
