import * as z from 'zod/mini';
/** A time in a fixture: ISO 8601, or how long before the start it was, as `30d ago`. */
export declare const fixtureTime: z.ZodMiniString<string>;
/** Milliseconds since 1970 of a fixture's time. @param now when the service starts. @throws RangeError */
export declare function toFixtureTimestamp(time: string | number, now: number): number;
