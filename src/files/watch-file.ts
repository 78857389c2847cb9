import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { clearTimeout, setTimeout } from '../core/time/system-time.ts'

/** The time that a file must be quiet before it is read, in milliseconds: an editor saves in several steps. */
const quiet = 60

/** Calls `changed` after each change of a file. Watches its folder, because editors save by replacing files. */
export function watchFile(file: string, changed: () => void): { close(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(changed, quiet)
  })
  // The folder is gone, and with it the file.
  watcher.on('error', () => watcher.close())
  return {
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
