import type { Area, Operation } from './operation.ts';
import type { Assumptions } from './assumptions.ts';
import type { Caller } from './auth.ts';
import type { Overlay } from './overlay.ts';
import type { Quota } from './rate-limit.ts';
import type { ServiceRequest } from './request.ts';
import type { World } from './world.ts';
/** One request on its way through `dispatch`, and what became known of it. */
export declare class Exchange {
    #private;
    readonly world: World;
    readonly request: ServiceRequest;
    readonly area: Area;
    /** The path below the area's base. */
    readonly path: string;
    readonly overlay: Overlay;
    /** When the request came, on the world's clock. */
    readonly now: number;
    /** The key that was sent, without a world's suffix; `undefined` when there was none. */
    readonly secret: string | undefined;
    operation: Operation | undefined;
    caller: Caller | undefined;
    quota: Quota | undefined;
    /** The assumptions that were asked for, repeats included. */
    readonly assumed: string[];
    /** The scenarios that changed something. */
    readonly fired: string[];
    constructor(world: World, request: ServiceRequest, area: Area, path: string, overlay: Overlay, secret: string | undefined);
    /** `req_` and 16 characters, the same however often it is asked for. */
    get requestId(): string;
    /** The value of an assumption, which is noted as one that shaped the reply. */
    assume<T extends Assumptions, Id extends keyof T & string>(_assumptions: T, id: Id): T[Id]['values'][number];
}
