/** Texts that would run, or break out, if they were treated as markup: 500 different ones. */
export const markups: readonly string[] = toMarkups()

function toMarkups(): string[] {
  const acts = ['img src=x onerror', 'svg onload', 'iframe onload src=/', 'details open ontoggle', 'body onload']
  const ways = ['', '">', "'>", '</script>', '</style>', '-->', '</title>', '</textarea>', '`}', '{{']
  const ends = ['', ' ', '/', '//', '\t', ' x=', ' <b', '&gt;', '\u2028', '%3E']
  return ways.flatMap((way) =>
    acts.flatMap((act) => ends.map((end) => `${way}<${act}="globalThis.broken=['ran']"${end}><b id=strange>`)),
  )
}
