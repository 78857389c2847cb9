import type { Exchange } from '../../core/exchange.ts';
import type { Plant } from './schemas.ts';
/** Gives what turns a stored plant into the one that a reply carries: name and tag (stated), more where an assumption says so. */
export declare function presenter(exchange: Exchange): (plant: Readonly<Plant>) => Record<string, unknown>;
