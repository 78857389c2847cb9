/** What is wrong in a fixture or scenario file, and where. */
export interface Problem {
    readonly file: string;
    /** From the document's root to the value that is wrong. */
    readonly path: readonly PropertyKey[];
    readonly message: string;
    /** From 1; known where the file was read from disk. */
    readonly line?: number;
    readonly column?: number;
}
/** Data that can't be used: says all that is wrong with it at once. */
export declare class DataError extends Error {
    name: string;
    readonly problems: readonly Problem[];
    constructor(what: string, problems: readonly Problem[]);
}
/** `fixtures/plants.yaml:12:5: plants.3.name: Invalid input: expected string, received number` */
export declare function formatProblem({ file, path, message, line, column }: Problem): string;
