import type { AddressInfo } from 'node:net'
import { isLoopbackHost } from '../core/http/urls.ts'
import { attach, type Fronting } from './attach.ts'
import { createNodeTarget } from './node-target.ts'
import { Recorder } from './recorder.ts'

/** Writes files below a folder, all of them or none. */
export type SaveFolder = (folder: string, files: Readonly<Record<string, string>>) => void

/**
 * Lets a Greenhouse on a server answer from the real service of its option `proxy`. Returns a function that ends this.
 * @throws Error for a target that is this very server
 */
export function standInFront(greenhouse: Fronting, own: AddressInfo, save: SaveFolder): () => Promise<void> {
  const { proxy } = greenhouse.options
  for (const url of [proxy!.plants, proxy!.apps]) if (url !== undefined) assertOther(url, own)
  const node = createNodeTarget(proxy!)
  const { record } = proxy!
  const recorder = record === undefined ? undefined : new Recorder(greenhouse)
  const stop = attach(greenhouse, { ...node, ...(recorder && { learn: recorder.learn }) })
  return async () => {
    stop()
    node.close()
    if (recorder)
      save(
        record!,
        recorder.toFiles((text) => greenhouse.world().redact(text)),
      )
  }
}

function assertOther(url: string, { port, address }: AddressInfo): void {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isHere = isLoopbackHost(host) || host === address
  if (isHere && Number(target.port || (target.protocol === 'https:' ? 443 : 80)) === port)
    throw new Error(`Failed to forward to ${url}: that is this server itself. Name the real service.`)
}
