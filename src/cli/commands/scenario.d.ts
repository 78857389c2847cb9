import type { CommandModule } from 'yargs';
export declare const scenarioCommand: CommandModule;
