import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../../files/replace-file.ts'
import { toSystemReason } from '../terminal.ts'

export function writeFile(file: string, text: string): void {
  withReason(`write ${file}`, () => replaceFile(file, text))
}

export function createFolder(folder: string): void {
  withReason(`create the folder ${folder}`, () => fs.mkdirSync(folder, { recursive: true }))
}

export function createTemporaryFolder(purpose: string): string {
  const folder = tmpdir()
  const what = `create a folder in ${folder}, which the variable ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} names`
  return withReason(what, () => fs.mkdtempSync(join(folder, `greenhouse-${purpose}-`)))
}

/** @throws Error that says what failed, and why: `Failed to write a.yaml: no space left on device.` */
export function withReason<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Error(`Failed to ${what}: ${toSystemReason(error)}.`, { cause: error })
  }
}
