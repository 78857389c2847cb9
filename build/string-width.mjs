/** Returns the width of help text: its length, because it has only plain characters. */
export default (text) => text.length
