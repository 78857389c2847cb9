/** Breaks help text into lines of at most `columns` characters, at spaces. */
export default function wrap(text, columns) {
  return text
    .split('\n')
    .map((line) => line.replace(new RegExp(`(?![^\\n]{1,${columns}}$)([^\\n]{1,${columns}})\\s`, 'g'), '$1\n'))
    .join('\n')
}
