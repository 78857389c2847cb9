import { type Malformation } from './malformation.ts';
/** The steps of a JSON pointer (RFC 6901): `/0/name` → `['0', 'name']`. */
export declare function toPath(pointer: string): string[];
/** A copy of `value` with the value at `path` malformed; `value` itself where the path leads nowhere. `extra` is added beside what the path names. */
export declare function changeAt(value: unknown, path: readonly string[], kind: Malformation): unknown;
