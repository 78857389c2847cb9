import type { CommandModule } from 'yargs';
import { type GreenhouseArguments } from '../options.ts';
interface ServeArguments extends GreenhouseArguments {
    port: number;
    host: string;
    token: string | undefined;
    log: 'pretty' | 'json' | 'silent';
}
export declare const serveCommand: CommandModule<object, ServeArguments>;
export {};
