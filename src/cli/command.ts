import type { Argv, CommandModule } from 'yargs'
import type { Terminal } from './terminal.ts'

export interface Command<Arguments = object> extends Pick<CommandModule, 'command' | 'describe'> {
  readonly builder?: (args: Argv<any>, terminal: Terminal) => Argv<any>
  readonly handler: (args: Arguments, terminal: Terminal) => void | Promise<void>
}

export function toYargsCommand<Arguments>(
  terminal: Terminal,
  { builder, handler, ...rest }: Command<Arguments>,
): CommandModule<object, Arguments> {
  return {
    ...rest,
    ...(builder && { builder: (args) => builder(args, terminal) }),
    handler: (args) => handler(args as Arguments, terminal),
  }
}
