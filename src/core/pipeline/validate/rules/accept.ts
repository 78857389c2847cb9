import { cached } from '../../../contract/across-builds.ts'
import { quote } from '../../../text/messages.ts'
import type { CheckedRequest, ValidationRule } from '../judged.ts'

const known = new Map<string, boolean>()
const maxKnown = 1_000
const longestKnown = 200

/** Whether an Accept header accepts a media type; the most specific range decides (RFC 9110, 12.5.1). */
function accepts(header: string, type: string): boolean {
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
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const isTaken = quality === undefined || Number(quality.slice('q='.length)) !== 0
    takes = index === best ? takes || isTaken : isTaken
    best = index
  }
  return takes
}

export const acceptRule: ValidationRule = {
  id: 'accept',
  about: 'headers',
  finds: 'an `Accept` that excludes the reply: JSON, or events for a stream',
  check(checked, problems) {
    const value = checked.request.headers['accept']
    if (value === undefined) return
    const type = toReplyType(checked)
    const text = typeof value === 'string' ? value : value.join(', ')
    if (type === undefined || accepts(text, type)) return
    problems.add(() => `Accept is ${quote(text)}, which excludes the reply: ${type}.`)
  },
}

function toReplyType({ operation, sent }: CheckedRequest): string | undefined {
  if (operation?.stream && sent?.['stream'] === true) return 'text/event-stream'
  return operation?.result && 'application/json'
}
