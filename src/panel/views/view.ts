import type { ComponentType } from 'preact'
import type { StreamEvent } from '../data/transport.ts'

export interface View {
  readonly id: string
  readonly title: string
  readonly order: number
  readonly key: string
  readonly hasLists?: boolean
  readonly load: () => Promise<{ readonly default: ComponentType }>
  readonly counts?: {
    readonly types: readonly string[]
    readonly of: (event: StreamEvent) => 'changed' | 'failed' | undefined
  }
}
