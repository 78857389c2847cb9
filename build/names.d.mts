/** Returns a message for every name that two files declare and export. */
export function duplicateNames(source: string): string[]
