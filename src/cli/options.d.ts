import type { Argv } from 'yargs';
/** The flags that say what a Greenhouse starts with. */
export declare function withGreenhouseOptions<T>(args: Argv<T>): Argv<T & {
    fixtures: string | undefined;
} & {
    scenarios: string | undefined;
} & {
    scenario: string[];
} & {
    assume: string[];
} & {
    seed: number;
} & {
    now: string | undefined;
} & {
    cors: string[];
} & {
    trace: boolean;
} & {
    "body-limit": number;
}>;
/** What `withGreenhouseOptions` parses. */
export type GreenhouseArguments = ReturnType<ReturnType<typeof withGreenhouseOptions<object>>['parseSync']>;
/** Makes the Greenhouse that the flags describe. @throws UsageError for a flag's value that is none; DataError for files that are wrong. */
export declare function createFromArguments(args: GreenhouseArguments): Promise<import("../greenhouse.ts").Greenhouse>;
