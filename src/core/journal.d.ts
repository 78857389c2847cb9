/** One request and its reply, as the world remembers them. Keys are fingerprints. */
export interface JournalEntry {
    id: number;
    /** ISO 8601, on the world's clock. */
    at: string;
    /** `undefined` when no operation has the method and path. */
    operation: string | undefined;
    world: string;
    request: {
        method: string;
        url: string;
        headers: Record<string, string>;
        body: string | undefined;
    };
    response: {
        status: number;
        headers: Record<string, string>;
        body: string | undefined;
    };
    /** The scenarios that changed the reply. */
    scenarios: string[];
    /** The ids of the assumptions that shaped the reply. */
    assumptions: string[];
    /** How long the answer took. */
    ms: number;
}
/** Which entries to look for; all that is named must hold. */
export interface JournalQuery {
    operation?: string;
    status?: number;
    /** At most so many, the newest. */
    limit?: number;
}
/** How much a journal holds: the oldest entries make room. */
export interface JournalLimits {
    readonly entries: number;
    readonly bytes: number;
}
/** What a world was asked and what it answered, bounded in entries and bytes. */
export declare class Journal {
    #private;
    constructor(limits: JournalLimits);
    /** How many entries made room for newer ones. */
    get evicted(): number;
    /** The entries that are there, oldest first. */
    calls(query?: JournalQuery): JournalEntry[];
    /** Forgets all entries; ids go on counting. */
    clear(): void;
}
