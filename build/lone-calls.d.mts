/** Whether it is a global that only gives a value: `JSON.parse`. */
export function isOnlyForItsValue(name: string): boolean
/** Every call of a folder for its throw alone, as a sentence. */
export function loneCalls(source: string): string[]
