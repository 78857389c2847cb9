import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Greenhouse } from '../greenhouse.ts';
/** Answers a request of Node's HTTP server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;
/** Makes what `http.createServer` takes. */
export declare function createNodeListener(greenhouse: Greenhouse): NodeListener;
/** Answers one request whose target, from the service's root, is `target`. Never rejects. */
export declare function answer(greenhouse: Greenhouse, request: IncomingMessage, response: ServerResponse, target: string): Promise<void>;
