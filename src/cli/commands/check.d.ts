import type { CommandModule } from 'yargs';
export declare const checkCommand: CommandModule<object, {
    dirs?: string[];
}>;
