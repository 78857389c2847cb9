/**
 * Escapes all characters beyond ASCII. V8 stores a file that has one character beyond Latin-1, such as `…`, as two
 * bytes per character: twice as much to read and to hash at each start.
 */
export function ascii() {
  return {
    name: 'ascii',
    // Runs after minification, which would write the characters unescaped again.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
    },
  }
}

function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
