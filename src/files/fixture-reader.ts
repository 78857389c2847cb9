import { parentPort, workerData } from 'node:worker_threads'
import { toReason } from '../core/contract/errors.ts'
import { DataError } from '../core/contract/problem.ts'
import { toJson } from '../core/http/json.ts'
import { loadFixtures } from './load.ts'
import type { ReaderReply } from './watch.ts'

// A worker thread that reads the fixtures of a folder: see watch.ts.

/** The length at which a part is complete, in characters. One record may be longer. */
const partLength = 65_536

parentPort!.postMessage(read(workerData as string))

function read(folder: string): ReaderReply {
  try {
    return { parts: Object.entries(loadFixtures(folder)).flatMap(([name, records]) => toParts(name, records)) }
  } catch (error) {
    return error instanceof DataError ? { problems: error.problems } : { message: toReason(error) }
  }
}

function toParts(name: string, records: readonly unknown[]): (readonly [string, string])[] {
  const parts: [string, string][] = []
  let texts: string[] = []
  let length = 0
  for (const [index, record] of records.entries()) {
    const text = toJson(record)
    length += text.length
    texts.push(text)
    if (length < partLength && index < records.length - 1) continue
    parts.push([name, `[${texts.join(',')}]`])
    texts = []
    length = 0
  }
  return parts.length > 0 ? parts : [[name, '[]']]
}
