import { type Problem } from '../core/problem.ts';
import { type Fixtures } from '../fixtures/check.ts';
import type { YamlFile } from './yaml.ts';
/** The fixtures of a folder's YAML files, for `createGreenhouse`. @throws DataError with every problem's file, line and column. */
export declare function loadFixtures(folder: string): Fixtures;
/** The scenarios of a folder's YAML files, by name, for `createGreenhouse`. @throws DataError with every problem's file, line and column. */
export declare function loadScenarios(folder: string): Record<string, unknown>;
/** Everything that is wrong with fixture files. */
export declare function findFixtureProblems(files: readonly YamlFile[]): Problem[];
/** Everything that is wrong with scenario files. */
export declare function findScenarioProblems(files: readonly YamlFile[]): Problem[];
