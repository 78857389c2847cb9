import { print } from '../output/print.ts'
import type { Terminal } from '../terminal.ts'

/** The argument with which a shell requests completions, from the script of yargs. */
const asking = '--get-yargs-completions'

/** Prints completions of scenario and event names; returns whether it did. yargs completes commands and flags. */
export async function completeNames(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const [first, , ...line] = words
  if (first !== asking || line.at(-1)?.startsWith('-')) return false
  const names = await namesFor(line)
  if (!names) return false
  print(terminal, names.map((name) => `${name}\n`).join(''))
  return true
}

/** @param line the words after the command's name; the last one is incomplete. */
async function namesFor([command, action, ...rest]: readonly string[]): Promise<readonly string[] | undefined> {
  if (command === 'trigger' && rest.length === 0) return (await import('../../areas/event-types.ts')).eventTypes
  if (command !== 'scenario' || rest.length === 0 || !['use', 'show', 'clear'].includes(action!)) return undefined
  const { createGreenhouse } = await import('../../greenhouse/assembly/create.ts')
  return createGreenhouse()
    .scenarios()
    .map(({ name }) => name)
}
