import type { CollectionDefinition } from './records.ts';
/** A record in an index. `sequence` grows with every record; `shard` is where `@msw/data` keeps it, if it does. */
export interface Entry<T> {
    readonly sequence: number;
    readonly record: Readonly<T>;
    readonly shard?: unknown;
}
/** The records of a collection by key and by owner; the lists are in the order of creation. */
export interface Index<T> {
    all: Entry<T>[];
    byKey: Map<string, Entry<T>>;
    byOwner: Map<string, Entry<T>[]>;
    next: number;
}
export declare function emptyIndex<T>(): Index<T>;
/** An index over records that are validated already or are now. @throws Error when one does not meet the schema or a key comes twice. */
export declare function createIndex<T extends object>(definition: CollectionDefinition<T>, records: readonly T[]): Index<T>;
export declare function addEntry<T extends object>(index: Index<T>, definition: CollectionDefinition<T>, record: Readonly<T>, shard?: unknown): void;
export declare function replaceEntry<T extends object>(index: Index<T>, definition: CollectionDefinition<T>, before: Entry<T>, record: Readonly<T>, shard: unknown): void;
export declare function removeEntry<T extends object>(index: Index<T>, definition: CollectionDefinition<T>, entry: Entry<T>): void;
/** Where the first entry with a sequence number of at least `sequence` stands, found by halving. */
export declare function firstFrom<T>(entries: readonly Entry<T>[], sequence: number): number;
/** Freezes a record and all that it holds. */
export declare function freeze<T>(value: T): Readonly<T>;
