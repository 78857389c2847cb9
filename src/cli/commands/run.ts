import { join } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { World } from '../../api/world.ts'
import { createFolder, writeFile } from '../files.ts'
import { defineCommand } from '../command.ts'
import { startCommand, toCommandEnvironment } from '../process/run-command.ts'
import { shutDown } from '../process/shutdown.ts'
import { codeAfter, toExitCode, reportError, printError, type Terminal } from '../terminal.ts'
import { logRequests } from '../output/request-log.ts'
import { readWanted } from '../evidence/gates.ts'
import { type ArgumentsOf, servingFlags, toOwnUrl, variablesEpilogue } from '../flags/flags.ts'
import { type GateArguments, gateFlags } from '../flags/gates.ts'
import { startServing } from './start-serving.ts'

const flags = { ...servingFlags, ...gateFlags }

type RunArguments = ArgumentsOf<typeof flags>

export const runCommand = defineCommand({
  command: 'run',
  describe: 'Serve both APIs while a command runs: greenhouse-mock run [options] -- COMMAND',
  flags,
  runsCommand: 'run -- npm test',
  examples: [
    ['run -- npx vitest run', 'Run tests against their own server'],
    ["run -- 'npm run build && npm test'", 'A single argument with spaces runs in a shell'],
    [
      'run --coverage --report-card -- npm test',
      'Say what the tests have not seen, and how the client behaves',
    ],
    ['run --fail-on violations -- npm test', 'Fail when a request breaks the contract'],
  ],
  epilogue:
    'Sets PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, GREENHOUSE_TOKEN (with --token), and a key of each plan in GREENHOUSE_KEY_FREE, _LITE, _PRO and _PRO_PLUS. Exits with the exit code of the command; if that is 0, with 4 for --fail-on and 3 for --min-coverage. --log prints to stderr. ' +
    variablesEpilogue,
  run: runWithServer,
})

async function runWithServer(args: RunArguments & { '--': readonly string[] }, terminal: Terminal) {
  const wanted = readWanted(args)
  const serving = await startServing(args, terminal)
  const endLog = logRequests(serving.greenhouse, args.log, terminal.stderr, terminal.env)
  // A script reads no address, but a person with a development server does.
  const panel = `${toOwnUrl(serving.server.url)}/__greenhouse/`
  if (terminal.stderr.isTTY) printError(terminal, `The panel is at ${panel}\n`)
  const isJudged = wanted.coverage || wanted.card || wanted.violations
  const [evidence, endCases] = await Promise.all([
    isJudged ? openEvidence(serving.greenhouse, args) : undefined,
    args.artifacts === undefined ? undefined : saveCases(serving.greenhouse, args.artifacts),
  ]).catch(async (error: unknown) => {
    await serving.close()
    throw error
  })
  const env: NodeJS.ProcessEnv = {
    ...(await toCommandEnvironment(serving, args.token, terminal.env)),
    ...evidence?.env,
  }
  if (args.artifacts !== undefined) env['GREENHOUSE_ARTIFACTS'] = args.artifacts
  let code = await startCommand(args['--'], env, terminal).catch((error: unknown) => {
    reportError(terminal, error)
    return toExitCode(error)
  })
  const ended = code
  code ||= serving.save()
  await shutDown(terminal, code, async () => {
    // Replies that end now are counted too.
    const unsaved = await serving.close()
    code = codeAfter(terminal, code || unsaved, () => printError(terminal, endCases?.() ?? ''))
    endLog()
    const verdict = evidence?.end(terminal, { ended, code })
    printError(terminal, verdict?.text ?? '')
    code = codeAfter(terminal, code, () => verdict?.write())
    return code || (verdict?.code ?? 0)
  })
}

async function openEvidence(greenhouse: Greenhouse, args: GateArguments) {
  const { startEvidence } = await import('../evidence/evidence-run.ts')
  return startEvidence(greenhouse, args)
}

const maxCases = 1_000

/**
 * A world is saved when it is deleted or at the end. The function that is returned throws if a case
 * can't be written.
 */
async function saveCases(greenhouse: Greenhouse, folder: string): Promise<() => string> {
  const { toCaseText } = await import('../../cases/format.ts')
  const saved = new Set<string>()
  let left = 0
  let failure: unknown
  createFolder(folder)
  const end = greenhouse.changes.observe((change) => {
    if (change.type === 'world-ends') save(greenhouse.findWorld(change.world))
  })
  return () => {
    end()
    for (const name of greenhouse.worlds()) save(greenhouse.findWorld(name))
    if (failure !== undefined) throw failure
    const count = saved.size === 1 ? '1 case' : `${saved.size || 'no'} cases`
    return `Saved ${count} in ${folder}${left > 0 ? `; ${left} more were left out` : ''}.\n`
  }

  function save(world: World | undefined) {
    if (!world || world.journal.size === 0) return
    if (saved.size >= maxCases && !saved.has(world.name)) left++
    else
      try {
        writeFile(join(folder, `${world.name}.case.yaml`), toCaseText(world.toCase()))
      } catch (error) {
        failure ??= error
      }
    if (left === 0) saved.add(world.name)
  }
}
