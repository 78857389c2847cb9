import { type YamlFile } from './yaml.ts';
/** The YAML files right in a folder, by name. Links that lead out of it are left out. @throws Error when it is no folder that can be read. */
export declare function readYamlFolder(folder: string): YamlFile[];
