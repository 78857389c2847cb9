import { Ledger } from './core/assumptions.ts';
import type { Area } from './core/operation.ts';
import type { CollectionDefinition } from './core/records.ts';
/** The areas, the longest base first, so that the first one whose base fits is the one that is meant. */
export declare const areas: readonly Area[];
/** The collections that a world has. */
export declare const collections: readonly CollectionDefinition<never>[];
/** Everything that the reference leaves open, area by area. */
export declare const ledger: Ledger;
