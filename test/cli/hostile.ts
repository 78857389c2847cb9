/** Clears a screen, sets a title, changes colours; the C1 form of the first; turns text around; a separate line. */
export const hostile = '\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2028\r\x7f'

/** Characters that a terminal acts on, or that let text look like a line of ours. */
// eslint-disable-next-line no-control-regex
export const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/
