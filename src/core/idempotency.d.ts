import type { Outcome } from './operation.ts';
/** The outcomes of requests that carried an `Idempotency-Key`, kept for 24 hours of the world's clock. */
export declare class Idempotency {
    #private;
    /**
     * Runs `work` once a key: the same key with the same request gives the first outcome again.
     * @param key with its account and operation, so that two callers never share one.
     * @throws ApiError 400 `idempotency_key_reused` when the request is another one.
     */
    once(key: string, request: string, now: number, work: () => Outcome | Promise<Outcome>): Promise<Outcome>;
}
