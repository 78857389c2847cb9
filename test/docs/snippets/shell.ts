import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProcess } from '../../support/process.ts'
import { toUserEnvironment, type Project } from '../../package/packed.ts'

export interface Outcome {
  readonly command: string
  readonly code: number | undefined
  readonly statuses: number[]
  readonly output: string
}

const mark = '@@snippet'

/**
 * Adds wrappers of `npx`, `greenhouse` and `curl` to a project: they run the real ones, end servers and streams, and
 * print the status of each reply. Vitest runs the team's own tests, not the samples, which run by themselves.
 */
export function prepareCommands({ folder }: Pick<Project, 'folder'>): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
  const serveBriefly = fileURLToPath(new URL('serve-briefly.mjs', import.meta.url))
  const command = join(folder, 'node_modules/greenhouse-mock/dist/greenhouse.cjs')
  const scripts = {
    greenhouse: `{ [ "$1" = serve ] || [ "$1" = proxy ]; } && exec ${process.execPath} ${serveBriefly} ${command} "$@"\ncase " $* " in\n  *" --follow "*) ${process.execPath} ${command} "$@" & sleep 3; kill $!; wait $!; exit ;;\nesac\nexec ${process.execPath} ${command} "$@"`,
    'greenhouse-mock': 'exec greenhouse "$@"',
    'xdg-open': 'exit 0',
    open: 'exit 0',
    npx: `name=$1; shift\ncase $name in\n  greenhouse-mock) exec greenhouse "$@" ;;\n  vitest) exec ${process.execPath} ${join(folder, 'node_modules/vitest/vitest.mjs')} "$@" own.test.mjs ;;\n  *) echo "npx $name: the test knows no such command" >&2; exit 127 ;;\nesac`,
    curl: `case " $* " in\n  *" -N "*) ${curl} -sS --max-time 1 -w '%{stderr}${mark} status %{http_code}\\n' "$@" 2>&1 | grep -v 'timed out' >&2; exit 0 ;;\nesac\nexec ${curl} -sS -w '%{stderr}${mark} status %{http_code}\\n' "$@"`,
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

export function commandsOf(text: string): string[] {
  return text
    .replace(/\\\n/g, '\\\n\0')
    .split(/\n(?!\0)/)
    .map((line) => line.replaceAll('\0', ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

export async function runShell(
  { folder }: Pick<Project, 'folder'>,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome[]> {
  const commands = commandsOf(text)
  const script = commands
    .map((command, place) => `echo "${mark} begin ${place}" >&2\n${command}\necho "${mark} exit $?" >&2`)
    .join('\n')
  const { stderr } = await startProcess('bash', ['-c', `{ ${script}\n} >&2`], {
    cwd: folder,
    env: { ...toUserEnvironment(), ...env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
  }).ended
  const parts = stderr.split(new RegExp(`^.*${mark} begin \\d+\\n`, 'm')).slice(1)
  return commands.map((command, place) => {
    const output = parts[place] ?? ''
    const code = new RegExp(`${mark} exit (\\d+)`).exec(output)?.[1]
    return {
      command,
      code: code === undefined ? undefined : Number(code),
      statuses: [...output.matchAll(new RegExp(`${mark} status (\\d+)`, 'g'))].map(([, status]) => Number(status)),
      output,
    }
  })
}

/** The status that a command's comment promises, `# 429: the plan is spent`; any success where it promises none. */
export function isPromised(command: string, status: number): boolean {
  const promised = /#[^#]*?\b([45]\d\d)\b/.exec(command.split('\n').at(-1)!)?.[1]
  return promised === undefined ? status >= 200 && status < 400 : status === Number(promised)
}

export function isPromisedToFail(command: string): boolean {
  return command.includes('# fails: ')
}
