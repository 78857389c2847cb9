import { caseCommand } from './commands/case.ts'
import { coverageCommand } from './commands/coverage.ts'
import { configCommand, checkCommand, fixturesCommand, typesCommand } from './commands/files.ts'
import { flipCommand, verifyCommand } from './commands/contract.ts'
import { assumptionsCommand, openapiCommand, routesCommand } from './commands/reference.ts'
import { statusCommand } from './commands/world.ts'
import { mcpCommand } from './commands/mcp.ts'
import { runCommand } from './commands/run.ts'
import { scenarioCommand } from './commands/scenario.ts'
import { proxyCommand, serveCommand } from './commands/serve.ts'

export const commands = [
  serveCommand,
  proxyCommand,
  runCommand,
  coverageCommand,
  mcpCommand,
  flipCommand,
  checkCommand,
  configCommand,
  fixturesCommand,
  typesCommand,
  statusCommand,
  scenarioCommand,
  caseCommand,
  assumptionsCommand,
  routesCommand,
  openapiCommand,
  verifyCommand,
]
