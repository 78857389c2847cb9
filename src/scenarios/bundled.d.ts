import type { ScenarioFile } from './schema.ts';
/** The scenarios of `scenarios/`, by name. They are checked when the package is built. */
export declare const bundledScenarios: ReadonlyMap<string, ScenarioFile>;
