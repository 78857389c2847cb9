import type { Problem } from '../core/problem.ts';
/** A parsed YAML file: its data, and where in the file each part of it stands. */
export interface YamlFile {
    readonly file: string;
    readonly data: unknown;
    /** Problems with the text itself; then there is no data. */
    readonly problems: Problem[];
    /** The problem with its line and column: of the value at its path, or of what is nearest above it. */
    locate(problem: Problem): Problem;
}
/** Parses YAML; integers beyond a double are bigints. Never throws. */
export declare function parseYaml(file: string, text: string): YamlFile;
