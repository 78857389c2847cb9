/**
 * Writes code in ASCII alone. V8 keeps a file with a character beyond Latin-1 in it, such as `…`, as two bytes a character, all
 * of it: that is twice as much to read and to hash at each start.
 */
export function ascii() {
  return {
    name: 'ascii',
    // What makes code small would write the characters themselves again: it comes before this.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
    },
  }
}

function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
