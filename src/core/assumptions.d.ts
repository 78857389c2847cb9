/** Where a default comes from: the reference, a public description of the sample interface, well-known APIs, or us. */
export type Provenance = 'stated' | 'published' | 'convention' | 'ours';
/** One named choice for something that the reference leaves open. */
export interface Assumption {
    /** What the reference does not say. */
    question: string;
    /** Every way to answer it; the first is the default. */
    values: readonly [string, ...string[]];
    /** Where the default comes from. */
    source: Provenance;
}
/** The assumptions of one part of the service, by id. */
export type Assumptions = Readonly<Record<string, Assumption>>;
/** Declares assumptions, so that reading one gives the type of its values. */
export declare function defineAssumptions<const T extends Assumptions>(assumptions: T): T;
/** The assumptions of the whole service and the value that each has. */
export declare class Ledger {
    #private;
    constructor(...parts: Assumptions[]);
    /** Every assumption with its id, in the order of their declaration. */
    list(): ({
        id: string;
    } & Assumption)[];
    /** The values by id: the defaults, and `choices` over them. @throws RangeError for an id or a value that is none. */
    resolve(choices?: Readonly<Record<string, string>>): Map<string, string>;
    /** Returns `value` when the assumption `id` has it. @throws RangeError for an id or a value that is none. */
    check(id: string, value: string): string;
}
