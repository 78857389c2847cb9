import { lstatSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Creates a file that says which process holds it. The file of a process that has ended, or that runs on another machine, is
 * replaced. Where no file can be created, there is no lock. Returns a function that removes it. @throws Error if it is held
 */
export function lockFile(file: string): () => void {
  for (;;) {
    try {
      writeFileSync(file, toHolder(process.pid), { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        rmSync(file, { force: true })
        return () => {}
      }
    }
    const holder = lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''
    const id = Number.parseInt(holder)
    if (id > 0 && isRunning(id) && holder === toHolder(id)) throw new Error(`process ${id} uses it`)
    unlinkSync(file)
  }
}

/** Identifies a process on this machine, so that a later one with the same id is another one. */
function toHolder(id: number): string {
  return `${id} ${startOf(id)} ${hostname()}\n`
}

/** Returns the start of a process that has not ended, where the system has it in a file. */
function startOf(id: number): string {
  try {
    const [state, ...fields] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return state === 'Z' ? 'ended' : fields[18]!
  } catch {
    return 'unknown'
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
