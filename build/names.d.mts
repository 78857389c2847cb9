/** Returns a message for every name that two files declare and export. */
export function duplicateNames(source: string): string[]

/** Returns a message for every old word in a declared name or a comment. */
export function oldWords(source: string): string[]
