/** How a window runs (assumption `rate-limit.window`). */
export type WindowKind = 'calendar' | 'first-request' | 'sliding';
/** Requests counted over one length of time. Times are in milliseconds and never run backwards between calls. */
export interface Window {
    /** How many more fit under `limit`; negative when more were counted than that. */
    remaining(limit: number, at: number): number;
    /** Counts `amount` requests. */
    add(amount: number, limit: number, at: number): void;
    /** When the window resets; for a sliding one, when the next request leaves it and makes room. */
    resetAt(limit: number, at: number): number;
}
/** Makes an empty window of `length` milliseconds. */
export declare function createWindow(kind: WindowKind, length: number): Window;
