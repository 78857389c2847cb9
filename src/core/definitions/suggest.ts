import { distance } from 'fastest-levenshtein'

/** No known name is longer, so a longer text is not a typo. */
const longest = 100

/** The most names to compare: of thousands of worlds or records, only the first ones. */
const maxCompared = 1_000

const shortestPart = 4

export function suggest(wrong: string, known: readonly string[]): string {
  if (wrong.length > longest) return ''
  const maxDistance = Math.max(2, wrong.length / 3)
  let best: string | undefined
  let nearest = Infinity
  let compared = 0
  for (const name of known) {
    // The difference in length is already too large.
    if (Math.abs(name.length - wrong.length) > maxDistance) continue
    if (++compared > maxCompared) break
    const difference = distance(wrong, name)
    if (difference >= nearest || difference > maxDistance || difference >= Math.max(wrong.length, name.length)) continue
    nearest = difference
    best = name
  }
  best ??= known.find((name) => wrong.length >= shortestPart && isPart(wrong, name))
  return best === undefined ? '' : ` Did you mean "${best}"?`
}

/** Whether a text is a name with one letter wrong, or with two that changed places. */
export function isSlip(wrong: string, name: string): boolean {
  const lettersOf = (text: string) => [...text].sort().join('')
  const difference = distance(wrong, name)
  return difference === 1 || (difference === 2 && lettersOf(wrong) === lettersOf(name))
}

function isPart(part: string, name: string): boolean {
  const at = name.indexOf(part)
  return at >= 0 && isEnd(name[at - 1]) && isEnd(name[at + part.length])
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || '-_.:/'.includes(character)
}
