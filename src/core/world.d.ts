import { type Clock } from './clock.ts';
import type { ScenarioSource } from './effect.ts';
import { Journal, type JournalLimits } from './journal.ts';
import type { Ledger } from './assumptions.ts';
import { type Overlay } from './overlay.ts';
import { type Random } from './random.ts';
import { Limiter } from './rate-limit.ts';
import { Idempotency } from './idempotency.ts';
import { Records, type CollectionDefinition } from './records.ts';
import type { Index } from './record-index.ts';
/** A scenario by name, or with options. */
export type ScenarioChoice = string | {
    readonly name: string;
    readonly options?: Readonly<Record<string, unknown>>;
};
/** What every world of a service starts from. */
export interface WorldOrigin {
    readonly seed: number;
    /** Where the clock starts, in milliseconds since 1970; the machine's time when it is absent. */
    readonly now: number | undefined;
    readonly ledger: Ledger;
    readonly assumptions: Readonly<Record<string, string>>;
    readonly scenarios: readonly ScenarioChoice[];
    readonly journal: JournalLimits;
    readonly library: ScenarioSource;
    /** The records that a collection starts with, shared between the worlds. */
    seedOf<T extends object>(collection: CollectionDefinition<T>): Index<T>;
}
/** One complete service: data, clock, quotas, scenarios, journal, assumptions and seed. Nothing of it is shared with another world. */
export declare class World {
    #private;
    readonly name: string;
    constructor(name: string, origin: WorldOrigin);
    get clock(): Clock;
    get journal(): Journal;
    get limiter(): Limiter;
    get idempotency(): Idempotency;
    /** The assumptions in force and the active scenarios. */
    get overlay(): Overlay;
    /** Goes back to the start in everything: data, quotas, clock, scenarios, journal, idempotency keys, assumptions and seed. */
    reset(): void;
    /** The records of a collection; seeded from the fixtures on first use. */
    collection<T extends object>(definition: CollectionDefinition<T>): Records<T>;
    /** The stream of chance of one purpose. */
    random(purpose: string): Random;
    /** Switches a scenario on until it is cleared; the same one again replaces itself. @throws RangeError when there is none of that name or an option is wrong. */
    use(name: string, options?: Readonly<Record<string, unknown>>): void;
    /** Switches a scenario off, or all of them. */
    clear(name?: string): void;
    /** Answers a question that the reference leaves open in another way. @throws RangeError for an id or a value that is none. */
    assume(id: string, value: string): void;
    /** Runs `work` when nothing else that came this way is running. */
    exclusively<T>(work: () => T | Promise<T>): Promise<T>;
}
