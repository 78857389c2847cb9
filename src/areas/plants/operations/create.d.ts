/** Create Plant: the client supplies the id, the reply shows name and tag (stated). */
export declare const createPlant: import("../../../core/operation.ts").Operation<unknown>;
