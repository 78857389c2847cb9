import type { Exchange } from '../../../core/exchange.ts';
import { type App } from './schemas.ts';
/** The caller's app of that id. @throws ApiError 404 when there is none, or when it is another account's. */
export declare function ownApp(exchange: Exchange, id: string): Readonly<App>;
