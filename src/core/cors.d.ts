import { type ServiceRequest } from './request.ts';
import { type Reply } from './reply.ts';
/** Which pages may call the service: those of loopback origins, and of the origins named at the start. `'*'` names all. */
export declare class Cors {
    #private;
    constructor(origins?: readonly string[]);
    /** The reply to a preflight; `undefined` when the request is none. */
    preflight(request: ServiceRequest): Reply | undefined;
    /** Adds what lets the page that sent a request read the reply. */
    addHeaders(request: ServiceRequest, headers: Record<string, string>): void;
}
/** Whether an origin is a page served from this machine: localhost, 127.0.0.0/8 or [::1], on any port. */
export declare function isLoopback(origin: string): boolean;
