/** The command was used in a way that it does not have. */
export declare class UsageError extends Error {
    name: string;
}
/** The check or the user's command failed; what there is to say has been said. */
export declare class FailedCheck extends Error {
    name: string;
}
/** 1 when a check failed, 2 when the command was used wrongly or could not do its work. */
export declare function exitCode(error: unknown): number;
/** Says what failed, without a stack: these are errors of use, not of ours. */
export declare function reportError(error: unknown): void;
