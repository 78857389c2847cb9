import type { Exchange } from './exchange.ts';
import type { Input, Operation, Outcome } from './operation.ts';
/** Does what an operation does: alone in its world when it writes, and once an `Idempotency-Key` where the area has them. */
export declare function perform(exchange: Exchange, operation: Operation, input: Input<unknown>): Outcome | Promise<Outcome>;
