/** ` Did you mean "expired-key"?`, or nothing when no known name is near. */
export declare function suggest(wrong: string, known: readonly string[]): string;
