import type { CommandModule } from 'yargs';
export declare const routesCommand: CommandModule;
