/** The folders of `src` in layers, from the top down. */
export const layers: readonly (readonly string[])[]
/** Every import of a folder that points up or sideways, as a sentence. */
export function wrongArrows(source: string): string[]
