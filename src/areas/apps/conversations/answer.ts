import { createRandom } from '../../../core/time/random.ts'
import type { App } from '../apps/schemas.ts'

const openings = [
  'Good question.',
  'Happy to help.',
  'That is a common one.',
  'Let us look at it together.',
  'Thank you for asking.',
  'I can help with that.',
]

const advice = [
  'Most plants like it when the top of the soil dries out before they are watered again.',
  'A bright place without direct sun is a safe start.',
  'Yellow leaves at the bottom mostly mean too much water.',
  'Repot it in spring, into a pot that is only a little larger.',
  'Feed it every two weeks while it grows, and not at all in winter.',
  'Brown tips point to dry air; a tray of wet pebbles helps.',
  'Turn it by a quarter every week, so that it grows straight.',
  'Look under the leaves for mites before you do anything else.',
]

const closings = [
  'Does that help?',
  'Tell me how it goes.',
  'Shall I remind you in a week?',
  'Send a photo if you are not sure.',
]

/** Returns an app's answer to a prompt. It depends only on the seed, the app and the prompt. */
export function answerTo(prompt: string, { id, display_name, name }: Readonly<App>, seed: number): string {
  const random = createRandom(seed, `answer ${id} ${prompt}`)
  const pick = (from: readonly string[]) => from[Math.floor(random.next() * from.length)]!
  const subject = prompt.trim().replace(/\s+/g, ' ')
  const quoted = subject.length > 60 ? `${[...subject].slice(0, 60).join('')}…` : subject
  return `${pick(openings)} You asked ${display_name ?? name}: “${quoted}” ${pick(advice)} ${pick(closings)}`
}
