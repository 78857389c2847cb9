import { codedError } from '../core/text/error-codes.ts'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { toReason } from '../core/contract/errors.ts'
import { afterIfAlive } from '../core/time/clock.ts'
import type { RecordingFiles } from '../contract/recording/recording.ts'
import { createFolders, replaceFile } from './replace-file.ts'

const manifest = 'recording.json'
const scenario = 'scenarios/recorded.yaml'
const fixtures = 'fixtures/recorded.json'

/** The time of which a killed process loses at most the replies, in milliseconds. */
const interval = 250

/**
 * The folder of a recording. Its manifest names the files that a recording wrote: only they are
 * replaced. Nothing is written before the first reply.
 * @throws Error for a folder that can't be written, or that has other files
 */
export class RecordingFolder implements RecordingFiles {
  readonly #folder: string
  readonly #former: readonly string[]
  readonly #files = new Set<string>()
  #text = ''
  #toFixtures: (() => string) | undefined
  #stopWaiting: (() => void) | undefined
  /** Why the last files could not be written. */
  failure: string | undefined

  constructor(folder: string) {
    this.#folder = resolve(folder)
    try {
      this.#former = readManifest(this.#folder)
    } catch (error) {
      throw codedError(
        'GREENHOUSE_INVALID_FILE',
        `Failed to record into ${folder}: ${toReason(error)}. Name a folder that is new, empty, or recorded before.`,
      )
    }
  }

  append(text: string): void {
    this.#text += text
    this.#flushLater()
  }

  writeBody(name: string, bytes: Uint8Array): void {
    this.#attempt(() => fs.writeFileSync(this.#prepare(`scenarios/recorded/${name}`), bytes))
  }

  writeFixtures(toText: () => string): void {
    this.#toFixtures = toText
    this.#flushLater()
  }

  flush(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    const text = this.#text
    const toFixtures = this.#toFixtures
    this.#text = ''
    this.#toFixtures = undefined
    this.#attempt(() => {
      if (text !== '') this.#appendToScenario(text)
      if (toFixtures) replaceFile(this.#prepare(fixtures), toFixtures())
    })
  }

  #appendToScenario(text: string) {
    const isNew = !this.#files.has(scenario)
    const path = this.#prepare(scenario)
    // A process that is killed between creating a file and writing it would leave an empty one.
    if (isNew) replaceFile(path, text)
    else fs.appendFileSync(path, text)
  }

  #flushLater() {
    this.#stopWaiting ??= afterIfAlive(interval, () => this.flush())
  }

  #attempt(work: () => void) {
    try {
      work()
    } catch (error) {
      this.failure ??= toReason(error)
    }
  }

  /**
   * Names a file in the manifest before it is there, so that a killed process leaves no file that
   * nobody knows.
   */
  #prepare(file: string): string {
    const path = join(this.#folder, file)
    if (this.#files.has(file)) return path
    if (this.#files.size === 0) this.#removeFormer()
    this.#files.add(file)
    createFolders(dirname(path))
    replaceFile(
      join(this.#folder, manifest),
      `${JSON.stringify({ recorded: [...this.#files] }, null, 2)}\n`,
    )
    return path
  }

  #removeFormer() {
    for (const file of this.#former) fs.rmSync(join(this.#folder, file), { force: true })
  }
}

const ownFile = /^(?:scenarios\/recorded(?:\.yaml|\/\d{5}\.(?:bin|txt))|fixtures\/recorded\.json)$/

/** A process that is killed while it replaces a file leaves this. */
const temporaryFile =
  /^(?:recording\.json|scenarios\/recorded\.yaml|fixtures\/recorded\.json)\.[\da-f-]{36}\.tmp$/

/**
 * Returns the files of the recording that is there. @throws Error if the folder is not new, empty,
 * or a recording's own
 */
function readManifest(folder: string): string[] {
  if (folder === process.cwd()) throw new Error('it is the folder that the command runs in')
  const found = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (!found) {
    assertFolderWritable(folder)
    return []
  }
  if (found.isSymbolicLink()) throw new Error('it is a link')
  if (!found.isDirectory()) throw new Error('it is not a folder')
  assertFolderWritable(folder)
  const all = listFiles(folder, '')
  const left = all.filter((file) => temporaryFile.test(file))
  const files = all.filter((file) => !left.includes(file))
  if (files.length === 0) return left
  if (!files.includes(manifest)) throw new Error(`it has other files, such as ${files[0]}`)
  const { recorded } = JSON.parse(fs.readFileSync(join(folder, manifest), 'utf8')) as {
    recorded?: unknown
  }
  const former = Array.isArray(recorded)
    ? recorded.filter((one): one is string => ownFile.test(String(one)))
    : []
  const foreign = files.find((file) => file !== manifest && !former.includes(file))
  if (foreign !== undefined) throw new Error(`it has a file that no recording wrote, ${foreign}`)
  return [...former, ...left]
}

function listFiles(folder: string, prefix: string): string[] {
  return fs.readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name
    if (entry.isDirectory()) return listFiles(folder, `${name}/`)
    return [name]
  })
}

/** Creates and removes a folder, because permissions alone do not tell. */
function assertFolderWritable(folder: string) {
  let parent = folder
  while (!fs.existsSync(parent)) parent = dirname(parent)
  fs.rmdirSync(fs.mkdtempSync(join(parent, '.greenhouse-')))
}
