import { type Reply } from './reply.ts';
import { type ServiceRequest } from './request.ts';
import type { Service } from './service.ts';
/** Answers one request. Whatever happens, what comes back is a reply in the area's own shape. */
export declare function dispatch(service: Service, request: ServiceRequest): Promise<Reply>;
