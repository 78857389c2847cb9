import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startProcess, type Ended } from '../support/process.ts'

/** The package as it is published: its entry of this name, for `import` in a script. */
export const entry = (name: string) => pathToFileURL(resolve('dist', `${name}.js`)).href

/**
 * Runs a script in a process of its own, with flags of Node; gives the JSON that it printed last.
 * @throws Error when it fails.
 */
export async function runScript(script: string, flags: readonly string[] = []): Promise<unknown> {
  return toResult(
    await startProcess(process.execPath, [
      ...flags,
      '--no-warnings',
      '--input-type=module',
      '--eval',
      script,
    ]).ended,
  )
}

export function toResult({ code, signal, stdout, stderr }: Ended): unknown {
  if (code !== 0) throw new Error(`The script ended with ${code ?? signal}: ${stdout}${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}
