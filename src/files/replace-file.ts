// oxlint-disable-next-line no-restricted-imports -- nobody can prepare a file with this name
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Why a file can't be replaced but perhaps written: it is mounted, or its folder takes no other
 * file. None is a lack of room.
 */
const overwriteCodes = new Set(['EBUSY', 'EXDEV', 'EACCES', 'EPERM', 'EROFS'])

/**
 * Creates a folder and those around it, one after the other: where none can be, such as in /proc,
 * Node 20 never ends with `recursive`. @throws Error of the system
 */
export function createFolders(folder: string): void {
  // `join` resolves the paths of the files in it in the same way, also behind a link.
  const path = resolve(folder)
  if (isFolder(path)) return
  if (dirname(path) !== path) createFolders(dirname(path))
  try {
    fs.mkdirSync(path)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Replaces or creates a file in one step: a process that is killed leaves the former file. Follows
 * links, and keeps the owner. A mounted file is written in place. @param mode that of the former
 * file without it. @throws Error of the system
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  const target = findTarget(file)
  const former = fs.statSync(target, { throwIfNoEntry: false })
  if (former) fs.accessSync(target, fs.constants.W_OK)
  const bytes = Buffer.from(text)
  const newMode = mode ?? (former ? former.mode & 0o777 : 0o666)
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    const descriptor = fs.openSync(temporary, 'wx', newMode)
    try {
      withClosing(descriptor, () => {
        if (former) fs.fchownSync(descriptor, former.uid, former.gid)
        // The process's umask took some of it away.
        if (former || mode !== undefined) fs.fchmodSync(descriptor, newMode)
        writeAll(descriptor, bytes, 0)
      })
      fs.renameSync(temporary, target)
    } catch (error) {
      fs.rmSync(temporary, { force: true })
      throw error
    }
  } catch (error) {
    if (!overwriteCodes.has(String((error as NodeJS.ErrnoException).code))) throw error
    const descriptor = fs.openSync(target, former ? 'r+' : 'wx', newMode)
    withClosing(descriptor, () => overwrite(descriptor, bytes, former?.size ?? 0))
  }
}

/**
 * Overwrites a file, its end first: if there is no room for that, the former content is still
 * whole.
 */
function overwrite(descriptor: number, bytes: Buffer, formerSize: number) {
  try {
    writeAll(descriptor, bytes, formerSize)
  } catch (error) {
    fs.ftruncateSync(descriptor, formerSize)
    throw error
  }
  writeAll(descriptor, bytes.subarray(0, formerSize), 0)
  fs.ftruncateSync(descriptor, bytes.length)
}

function withClosing(descriptor: number, work: () => void) {
  try {
    work()
  } finally {
    fs.closeSync(descriptor)
  }
}

function writeAll(descriptor: number, bytes: Buffer, start: number) {
  for (let at = start; at < bytes.length;)
    at += fs.writeSync(descriptor, bytes, at, bytes.length - at, at)
}

/**
 * Returns the path of a file behind all links, also of one that is not there yet. @throws Error if
 * it can't be a file
 */
export function findTarget(file: string): string {
  const path = join(fs.realpathSync(dirname(file)), basename(file))
  const found = fs.statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return fs.realpathSync(path)
  if (found) throw new Error('it is not a file')
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  if (isLink) return findTarget(resolve(dirname(path), fs.readlinkSync(path)))
  return path
}

/**
 * Removes what processes left that were killed while they wrote a file. Nothing else may write it
 * meanwhile.
 */
export function removeTemporaryFiles(target: string): void {
  const folder = dirname(target)
  const start = `${basename(target)}.`
  for (const name of fs.readdirSync(folder))
    if (
      name.startsWith(start) &&
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(name.slice(start.length))
    )
      fs.rmSync(join(folder, name), { force: true })
}
