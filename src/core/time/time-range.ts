/** The first and the last time that ISO 8601 writes with a four-digit year, in milliseconds since 1970. */
export const firstTime = -62_167_219_200_000
export const lastTime = 253_402_300_799_999

export const firstClockTime = 0

/**
 * The last time that the store accepts, shown as `lastTime`. Times derived from a clock, such as a period's end, are at
 * most a year later than the clock can be.
 */
export const lastStoredTime = lastTime + 366 * 86_400_000

/** The longest duration, ten thousand years, in milliseconds. Sums of a few of them are exact. */
export const longestLength = 3_652_500 * 86_400_000

export const timeRange = 'the years 0000 to 9999'
export const clockRange = 'the years 1970 to 9999'
