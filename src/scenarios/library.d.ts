import type { Ledger } from '../core/assumptions.ts';
import type { ActiveScenario, ScenarioSource } from '../core/effect.ts';
import { type OptionDeclaration } from './options.ts';
import { type ScenarioFile } from './schema.ts';
/** What is told of a scenario. */
export interface ScenarioSummary {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    /** What in a client it exercises. */
    readonly covers: string;
    readonly options: Readonly<Record<string, OptionDeclaration>>;
}
/** The scenarios that worlds can switch on, by name. */
export declare class ScenarioLibrary implements ScenarioSource {
    #private;
    /** @param files that `checkScenario` found nothing wrong with. */
    constructor(files: ReadonlyMap<string, ScenarioFile>, ledger: Ledger);
    /** All of them, by name. */
    list(): ScenarioSummary[];
    /** One of them. @throws RangeError when there is none of that name. */
    describe(name: string): ScenarioSummary;
    activate(name: string, chosen: Readonly<Record<string, unknown>>, now: number): ActiveScenario;
}
