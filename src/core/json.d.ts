/** JSON text that is not acceptable: not JSON, nested deeper than 100, or with an integer of more than 20 digits. */
export declare class JsonError extends Error {
    name: string;
}
/**
 * Parses JSON and keeps every integer exact: a safe one is a number, a larger one a bigint. `__proto__` is a name like
 * any other; of two equal names the last one counts, as in `JSON.parse`.
 * @throws JsonError
 */
export declare function parseJson(text: string): unknown;
/** Writes JSON, bigints as exact integers. */
export declare function toJson(value: unknown): string;
