import { serveCommandFlags } from '../../src/cli/commands/serve.ts'
import type { Flags } from '../../src/cli/flags/flags.ts'

/** The variables that `greenhouse-mock serve` reads. */
export const serveVariables: readonly string[] = Object.values(serveCommandFlags as Flags).map((flag) => flag.variable!)
