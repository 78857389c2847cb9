export const entries: readonly string[]
export const aliases: readonly string[]
