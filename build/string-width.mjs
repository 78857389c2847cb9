/** Returns the width of help text: it has plain characters only, so their number. */
export default (text) => text.length
