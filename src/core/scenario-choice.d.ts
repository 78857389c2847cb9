import type { ScenarioChoice } from './world.ts';
/**
 * Reads scenarios as a header or a flag names them: `rate-limited-plan, malformed-plant:field=tag;kind=null`. Options
 * follow a colon, separated by semicolons; their values are read by the scenario's own declarations.
 */
export declare function toScenarioChoices(text: string): ScenarioChoice[];
/** Reads one: `slow:ms=800`. */
export declare function toScenarioChoice(text: string): ScenarioChoice;
