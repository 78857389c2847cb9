import type { Front } from '../core/pipeline/dispatch.ts'
import { globFilter } from '../core/text/values.ts'
import { createFront, type Target } from './front.ts'

/** A real service, and what of it is used. */
export interface ProxyOptions {
  /** The base URL of its Area A. Without it, the mock answers there. */
  plants?: string | undefined
  /** The base URL of its Area B, with the version. Without it, the mock answers there. */
  apps?: string | undefined
  /** Operations to forward, by id or glob: `'plants.*'`. The mock answers the others. All by default. */
  only?: string | readonly string[] | undefined
  /** `mock`: what the service does not have, or what it cannot be reached for, is answered by the mock. */
  fallback?: 'mock' | undefined
  /** A file with certificates of authorities to trust, in PEM. */
  ca?: string | undefined
  /** Whether to accept any certificate of the service. False by default. */
  insecure?: boolean | undefined
  /** How long the service may take to begin a reply, in milliseconds. 30,000 by default. */
  timeout?: number | undefined
  /** A folder for what is learnt from the replies: fixtures, assumptions, and a report. Only on a server. */
  record?: string | undefined
}

/** A Greenhouse that has the option `proxy`. */
export interface Fronting {
  readonly options: { readonly proxy?: ProxyOptions | undefined }
  readonly bodyLimit: number
  hasOperation(method: string, path: string): boolean
  assumptions(): readonly { readonly id: string; readonly values: readonly string[] }[]
  world(): { redact(text: string): string }
  answerThrough(front: Front, origins: readonly string[]): () => void
}

/** Lets a Greenhouse answer through a target. Returns a function that ends this. */
export function attach(
  greenhouse: Fronting,
  sender: Pick<Target, 'origins' | 'send' | 'decode' | 'learn'>,
): () => void {
  const { only, fallback, plants, apps } = greenhouse.options.proxy!
  const isWanted = globFilter(only)
  const target: Target = {
    ...sender,
    isForwarded: (operation) => only === undefined || (operation !== undefined && isWanted(operation)),
    fallsBack: fallback === 'mock',
    limit: greenhouse.bodyLimit,
  }
  const isWhole = only === undefined && fallback === undefined && plants !== undefined && apps !== undefined
  return greenhouse.answerThrough(createFront(target), isWhole ? Object.values(sender.origins) : [])
}
