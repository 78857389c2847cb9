/** The rooms of `src`, from the top floor down. */
export const floors: readonly (readonly string[])[]
/** Every import of a folder that points up or sideways, as a sentence. */
export function wrongArrows(source: string): string[]
