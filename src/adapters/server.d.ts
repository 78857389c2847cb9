import type { Greenhouse } from '../greenhouse.ts';
/** Where a server listens. */
export interface ServeOptions {
    /** 0, the default, takes any free port. */
    port?: number;
    /** 127.0.0.1 by default. */
    host?: string;
}
/** A running server. */
export interface RunningServer extends AsyncDisposable {
    /** Area A's base URL; Area B's is this with `/v1`. */
    readonly url: string;
    readonly port: number;
    /** Stops taking requests, lets those under way finish for a second, and ends. */
    close(): Promise<void>;
}
/**
 * Serves both areas over HTTP: plants at `/plants`, apps at `/v1/apps`.
 * @throws Error that names the port when it is taken.
 */
export declare function serve(greenhouse: Greenhouse, { port, host }?: ServeOptions): Promise<RunningServer>;
