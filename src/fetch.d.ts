import type { Reply } from './core/reply.ts';
import type { ServiceRequest } from './core/request.ts';
/**
 * Translates a `Request`; its body is read to the end, or to the limit.
 * @param path from the service's root, percent-encoded, and @param search without the `?`.
 */
export declare function toServiceRequest(request: Request, path: string, search: string, bodyLimit: number): Promise<ServiceRequest>;
/** Translates a reply. */
export declare function toFetchResponse({ status, headers, body }: Reply): Response;
