import type { Ledger } from '../core/assumptions.ts';
import type { Problem } from '../core/problem.ts';
import { type OptionDeclaration } from './options.ts';
/** Everything that is wrong with a scenario's file; its effects are looked at with the options' defaults filled in. */
export declare function checkScenario(file: string, name: string, data: unknown, ledger: Ledger): Problem[];
/** The values that options have when nothing is chosen. */
export declare function defaultsOf(options?: Readonly<Record<string, OptionDeclaration>>): Record<string, unknown>;
