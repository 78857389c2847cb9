import { distance } from 'fastest-levenshtein'

/** Nothing that has a name has a longer one: what is longer is no slip. */
const longest = 100

/** The most names that are compared: of thousands of worlds or records the first. */
const mostCompared = 1_000

/** A part of a name that is shorter says little. */
const shortestPart = 4

/** ` Did you mean "expired-key"?`, or nothing when no known name is near. Near is also a name of which only whole words were given: `expired`. */
export function suggest(wrong: string, known: readonly string[]): string {
  if (wrong.length > longest) return ''
  const furthest = Math.max(2, wrong.length / 3)
  let best: string | undefined
  let nearest = Infinity
  let compared = 0
  for (const name of known) {
    // No closer than this, and not worth the comparison.
    if (Math.abs(name.length - wrong.length) > furthest) continue
    if (++compared > mostCompared) break
    const apart = distance(wrong, name)
    if (apart >= nearest || apart > furthest || apart >= Math.max(wrong.length, name.length)) continue
    nearest = apart
    best = name
  }
  best ??= known.find((name) => wrong.length >= shortestPart && isPart(wrong, name))
  return best === undefined ? '' : ` Did you mean "${best}"?`
}

function isPart(part: string, name: string): boolean {
  const at = name.indexOf(part)
  return at >= 0 && isEnd(name[at - 1]) && isEnd(name[at + part.length])
}

/** Whether a word ends here. */
function isEnd(character: string | undefined): boolean {
  return character === undefined || '-_.:/'.includes(character)
}
