import type { Exchange } from '../../core/exchange.ts';
import type { Outcome } from '../../core/operation.ts';
import type { Entry } from '../../core/record-index.ts';
/** The reply to a list of Area B: the page that the query asks for, in the shape that `apps.list.shape` names. */
export declare function listReply<T>(exchange: Exchange, entries: readonly Entry<T>[], query: URLSearchParams, present: (record: Readonly<T>) => unknown): Outcome;
