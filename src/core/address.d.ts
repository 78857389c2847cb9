import { type ServiceRequest } from './request.ts';
/** What names a world. */
export declare const worldName: RegExp;
/** Where a request is headed: the world, the path in it, and the key without a world's suffix. */
export interface Address {
    readonly world: string;
    readonly path: string;
    readonly secret: string | undefined;
}
/**
 * Finds the world that a request means, the first that is named of: the path's prefix (`/~checkout/v1/apps`), the header
 * `X-Greenhouse-World`, the key's suffix (`key_pro@checkout`); else `default`. The name may turn out to be none.
 */
export declare function toAddress(request: ServiceRequest): Address;
