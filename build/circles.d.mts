/** Returns a message for every import cycle between files. */
export function findCircles(source: string): string[]
