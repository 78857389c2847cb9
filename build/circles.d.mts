/** Every circle of imports between files, as a sentence. */
export function findCircles(source: string): string[]
