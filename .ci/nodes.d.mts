export const nodes: readonly string[]
