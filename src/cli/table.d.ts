/** Rows as text in columns; the last one is not padded. */
export declare function toTable(rows: readonly (readonly string[])[]): string;
