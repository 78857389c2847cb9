import { type WindowKind } from './rate-window.ts';
/** How many requests a minute and a day may hold. */
export interface Limits {
    readonly minute: number;
    readonly day: number;
}
/** One window as a reply describes it; `resetAt` is in milliseconds since 1970. */
export interface WindowState {
    readonly limit: number;
    readonly remaining: number;
    readonly resetAt: number;
}
/** What is left of a budget, and whether the request that was just counted was within it. */
export interface Quota {
    readonly allowed: boolean;
    readonly minute: WindowState;
    readonly day: WindowState;
}
export type WindowName = 'minute' | 'day';
/** Counts requests against the limits of plans. One a world; its time never runs backwards, so that moving the clock back grants nothing. */
export declare class Limiter {
    #private;
    /** Counts one request of `id` and tells whether it was within both windows. A rejected one is counted only with `countRejected`. */
    spend(id: string, limits: Limits, kind: WindowKind, now: number, countRejected?: boolean): Quota;
    /** What is left for `id`; nothing is counted. */
    peek(id: string, limits: Limits, kind: WindowKind, now: number): Quota;
    /** Leaves `id` with `remaining` requests in the window that holds the time `now`, if it had more. */
    leave(id: string, window: WindowName, remaining: number, limits: Limits, kind: WindowKind, now: number): void;
}
