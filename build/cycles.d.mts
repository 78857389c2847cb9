/** Returns a message for every import cycle between files. */
export function findCycles(source: string): string[]
