import { type HttpHandler } from 'msw';
import type { Greenhouse } from '../greenhouse.ts';
/** The two base URLs that a client is given. */
export interface BaseUrls {
    /** Area A's: plants are at `<plants>/plants`. By default any origin's `/plants`. */
    plants?: string;
    /** Area B's, with its version: apps are at `<apps>/apps`. By default any origin's `/v1`. */
    apps?: string;
}
/**
 * Makes MSW handlers, one an area, for `setupServer`, `setupWorker` and whatever else takes handlers.
 * Requests outside the two base URLs are left to other handlers; so is what stands beside `/plants` below Area A's.
 * @throws TypeError when a base URL is not absolute.
 */
export declare function createHandlers(greenhouse: Greenhouse, bases?: BaseUrls): HttpHandler[];
