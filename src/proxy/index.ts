import type { AddressInfo } from 'node:net'
import { isLoopbackHost } from '../core/http/urls.ts'
import { attach, type Fronting } from './attach.ts'
import type { Target } from './front.ts'
import { createNodeTarget } from './node-target.ts'

/**
 * Lets a Greenhouse on a server answer from the real service of its option `proxy`. Returns a function that ends this.
 * @throws Error for a target that is this very server
 */
export function standInFront(greenhouse: Fronting, own: AddressInfo, learn: Target['learn']): () => void {
  const { proxy } = greenhouse.options
  for (const url of [proxy!.plants, proxy!.apps]) if (url !== undefined) assertOther(url, own)
  const node = createNodeTarget(proxy!)
  const stop = attach(greenhouse, { ...node, ...(learn && { learn }) })
  return () => {
    stop()
    node.close()
  }
}

function assertOther(url: string, { port, address }: AddressInfo): void {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isHere = isLoopbackHost(host) || host === address
  if (isHere && Number(target.port || (target.protocol === 'https:' ? 443 : 80)) === port)
    throw new Error(`Failed to forward to ${url}: that is this server itself. Name the real service.`)
}
