/** What stands for a key wherever one is shown: `fp_` and the first 12 hex digits of its SHA-256. */
export declare function toFingerprint(secret: string): string;
