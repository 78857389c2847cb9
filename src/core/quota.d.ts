import { type Caller } from './auth.ts';
import type { Exchange } from './exchange.ts';
/** Counts the exchange against its caller's plan. @throws ApiError 429 when it is over the limit (stated). */
export declare function spendQuota(exchange: Exchange, caller: Caller): void;
/** Whose budget a caller's requests spend. */
export declare function budgetOf(exchange: Exchange, caller: Caller): string;
/** Adds the rate-limit headers to a reply: of what was spent, or, where nothing was, of what is left. */
export declare function addQuotaHeaders(exchange: Exchange, status: number, headers: Record<string, string>): void;
