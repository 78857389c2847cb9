/** Whether the name is a global function without side effects: `JSON.parse`. */
export function isOnlyForItsValue(name: string): boolean
/** Returns a message for every call whose only purpose is its throw. */
export function loneCalls(source: string): string[]
