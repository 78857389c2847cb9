import { print } from '../output/print.ts'
import type { Terminal } from '../terminal.ts'

const asking = '--get-yargs-completions'

export async function completeNames(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const [first, , ...line] = words
  if (first !== asking || line.at(-1)?.startsWith('-')) return false
  const names = await namesFor(line)
  if (!names) return false
  print(terminal, names.map((name) => `${name}\n`).join(''))
  return true
}

async function namesFor([command, action, ...rest]: readonly string[]): Promise<readonly string[] | undefined> {
  if (command === 'trigger' && rest.length === 0) return (await import('../../areas/event-types.ts')).eventTypes
  if (command !== 'scenario' || rest.length === 0 || !['use', 'show', 'clear'].includes(action!)) return undefined
  const { createGreenhouse } = await import('../../api/assembly/create.ts')
  return createGreenhouse()
    .scenarios()
    .map(({ name }) => name)
}
