/**
 * Reads a length of time: `'90s'`, `'5m'`, `'2h'`, `'1d'`, `'250ms'`, several of them (`'1h30m'`), or a number of
 * milliseconds. Returns milliseconds.
 * @throws RangeError when it is none of these.
 */
export declare function toMilliseconds(duration: string | number): number;
/**
 * Reads a point in time: an ISO 8601 string or milliseconds since 1970. Returns milliseconds.
 * @throws RangeError when it is neither.
 */
export declare function toTimestamp(time: string | number): number;
/** Milliseconds since 1970 as ISO 8601 UTC with milliseconds. */
export declare function toIso(at: number): string;
/** Milliseconds on a steady clock that no world can move: for measuring, never for deciding. */
export declare function steadyNow(): number;
/** A world's time. It runs with the machine's clock until it is told otherwise. */
export interface Clock {
    /** The world's time in milliseconds since 1970. */
    now(): number;
    /** Whether time stands still. */
    readonly frozen: boolean;
    /** Moves time on, `'90s'` or milliseconds; a negative length moves it back. @throws RangeError */
    advance(duration: string | number): void;
    /** Goes to a point in time, ISO 8601 or milliseconds, and runs on (or stays frozen) from there. @throws RangeError */
    set(time: string | number): void;
    /** Stops time where it is. */
    freeze(): void;
    /** Lets stopped time run on. */
    run(): void;
}
/** Makes a clock that shows `start` (milliseconds since 1970) now, or the machine's time when there is none. */
export declare function createClock(start?: number): Clock;
