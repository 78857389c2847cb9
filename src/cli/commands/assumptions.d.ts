import type { CommandModule } from 'yargs';
export declare const assumptionsCommand: CommandModule;
