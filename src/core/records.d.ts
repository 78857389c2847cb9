import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type Index } from './record-index.ts';
/** A record as it is handed out: frozen, for reading. Change it through `update`. */
export type Stored<T> = Readonly<T>;
/** How fixture files write the records of a collection, where that is not how the store keeps them. */
export interface FixtureForm<F, T> {
    readonly schema: StandardSchemaV1<unknown, F>;
    /** @param now when the service starts, in milliseconds since 1970. */
    toRecord(values: F, now: number): T;
}
/** What a collection is: its name, the shape of its records, what names one, and whose it is. */
export interface CollectionDefinition<T extends object, F = T> {
    readonly name: string;
    readonly fixture?: FixtureForm<F, T>;
    readonly schema: StandardSchemaV1<unknown, T>;
    /** What is unique of a record: its id, say. */
    readonly key: (record: T) => string | number | bigint;
    /** The account that a record belongs to. */
    readonly owner?: (record: T) => string;
}
/** A record with this key exists already. */
export declare class DuplicateKeyError extends Error {
    name: string;
}
/** Declares a collection. */
export declare function defineCollection<T extends object, F = T>(definition: CollectionDefinition<T, F>): CollectionDefinition<T>;
/**
 * The records of one collection in one world.
 *
 * What the world itself writes lives in `@msw/data`; the records that it started from (fixtures, a snapshot) are shared
 * between worlds until one writes. The index over both answers by key and by owner without a scan, and keeps the order of
 * creation.
 */
export declare class Records<T extends object> {
    #private;
    constructor(definition: CollectionDefinition<T>, index?: Index<T>);
    /** How many there are. */
    count(): number;
    /** The record of that key. */
    get(key: string | number | bigint): Stored<T> | undefined;
    /** All of them, oldest first. */
    all(): Stored<T>[];
    /** Those for which `matches` holds, oldest first. Looks at every record. */
    find(matches: (record: Stored<T>) => boolean): Stored<T>[];
    /**
     * Adds a record. It is validated, and absent fields stay absent.
     * @throws DuplicateKeyError when its key exists; an error of `@msw/data` when it does not meet the schema.
     */
    create(values: T): Promise<Stored<T>>;
    /** Changes the named fields of a record; `undefined` when there is none of that key. Its key stays what it is. */
    update(key: string | number | bigint, changes: Partial<T>): Promise<Stored<T> | undefined>;
    /** Removes a record and tells whether there was one. */
    delete(key: string | number | bigint): boolean;
    /** Puts these records in place of all that there are. @throws Error when one does not meet the schema; then nothing changed. */
    replace(records: readonly T[]): void;
}
