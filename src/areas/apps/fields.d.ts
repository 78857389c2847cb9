import type { Exchange } from '../../core/exchange.ts';
/** Refuses fields that the schema did not keep, where `apps.unknown-fields` is `reject`. @throws ApiError 400 */
export declare function assertKnownFields(exchange: Exchange, sent: Readonly<Record<string, unknown>>, known: object): void;
