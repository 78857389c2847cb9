/** Get Plants: the plants that the caller has access to, capped by the query (stated). */
export declare const listPlants: import("../../../core/operation.ts").Operation<unknown>;
