/** The first and the last time that can be named, in milliseconds since 1970: those of the years that ISO 8601 writes with four digits. */
export const firstTime = -62_167_219_200_000
export const lastTime = 253_402_300_799_999

/** The first time that a clock shows; the last one is `lastTime`. */
export const firstClockTime = 0

/** The last time that the store keeps: what follows from a clock's time, a period, say, ends no more than a year later. It is shown as `lastTime`. */
export const lastStoredTime = lastTime + 366 * 86_400_000

/** The longest length of time, ten thousand years, in milliseconds. Sums of a few of them are exact. */
export const longestLength = 3_652_500 * 86_400_000

/** What these are called in messages. */
export const timeRange = 'the years 0000 to 9999'
export const clockRange = 'the years 1970 to 9999'
