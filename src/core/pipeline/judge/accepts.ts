import { cached } from '../../definitions/cached.ts'

const known = new Map<string, boolean>()
const maxKnown = 1_000
const longestKnown = 200

/** Whether an Accept header accepts a media type; the most specific range decides (RFC 9110, 12.5.1). */
export function accepts(header: string, type: string): boolean {
  if (header === '*/*' || header === type) return true
  if (header.length > longestKnown) return find(header, type)
  return cached(known, maxKnown, `${type} ${header}`, () => find(header, type))
}

function find(header: string, type: string): boolean {
  // An empty header accepts everything.
  if (header.trim() === '') return true
  const ranges = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
  let best = ranges.length
  let takes = false
  for (const part of header.toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map((text) => text.trim())
    const index = ranges.indexOf(range!)
    // Parameters such as `application/json;version=2` are ignored.
    if (index < 0 || index > best) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const isTaken = weight === undefined || Number(weight.slice('q='.length)) !== 0
    takes = index === best ? takes || isTaken : isTaken
    best = index
  }
  return takes
}
