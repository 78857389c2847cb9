/** The most items of a list in one answer. */
export const maxListed = 1_000
