/** The width of help text: plain characters, so their number. */
export default (text) => text.length
