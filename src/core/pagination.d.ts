import { type Entry } from './record-index.ts';
/** One page of a list, newest first. */
export interface Page<T> {
    readonly records: Readonly<T>[];
    readonly hasMore: boolean;
    /** What asks for the next page; `null` on the last one. */
    readonly nextCursor: string | null;
}
/**
 * The page that `?limit=` (1–100, default 20) and `?cursor=` ask for.
 * @throws ApiError 400 when one of them is not valid.
 */
export declare function paginate<T>(entries: readonly Entry<T>[], query: URLSearchParams): Page<T>;
