/** The folders of `src` in layers, top first. */
export const layers: readonly (readonly string[])[]
/** Returns a message for every import that points up or sideways. */
export function wrongArrows(source: string): string[]
