import type { Operation } from './operation.ts';
/** What a method and a path lead to: an operation, or a known path that lacks the method, or nothing. */
export interface Match {
    readonly operation: Operation | undefined;
    /** Still percent-encoded. */
    readonly params: Readonly<Record<string, string>>;
    /** The methods of the path; empty when no operation has the path. */
    readonly methods: readonly string[];
}
/** Finds operations in a tree of path segments. */
export declare class Router {
    #private;
    constructor(operations: readonly Operation[]);
    /** @param path below the area's base, percent-encoded. */
    match(method: string, path: string): Match;
}
