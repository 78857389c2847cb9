import type { Input, Operation } from './operation.ts';
import { type ServiceRequest } from './request.ts';
/** Reads what an operation is given: decoded parameters, query and body. @throws ApiError 400 and its like when something is not valid. */
export declare function readInput(operation: Operation, params: Readonly<Record<string, string>>, request: ServiceRequest): Input<unknown>;
