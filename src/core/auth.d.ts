import { type Account, type Key, type Scope } from './accounts.ts';
import type { Exchange } from './exchange.ts';
import { type PlanName } from './plans.ts';
import type { Limits } from './rate-limit.ts';
/** Who sent a request: the key, its account, and the plan that the account is on. */
export interface Caller {
    readonly key: Readonly<Key>;
    readonly account: Readonly<Account>;
    readonly plan: PlanName;
    readonly limits: Limits;
}
/** The key of an `Authorization: Bearer <key>` header; `undefined` when there is none. */
export declare function toSecret(header: string | undefined): string | undefined;
/** The caller of an exchange. @throws ApiError 401 when the key is missing, unknown, expired or revoked (stated). */
export declare function authenticate(exchange: Exchange): Caller;
/** @throws ApiError 403 when the caller's key lacks the scope. */
export declare function requireScope(caller: Caller, scope: Scope): void;
/** Whom a key belongs to, scenarios applied; `undefined` when it is no good. */
export declare function findCaller(exchange: Exchange, secret: string): Caller | undefined;
