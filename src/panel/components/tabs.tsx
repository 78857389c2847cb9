import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly count?: number
  readonly render: () => ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = tabs.find((tab) => tab.id === chosen) ?? tabs[0]!
  useEffect(() => {
    revealIn(list.current!, list.current!.querySelector('[aria-selected=true]')!)
  }, [shown.id])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (tabs.indexOf(shown) + step + tabs.length) % tabs.length
    onChoose(tabs[next]!.id)
    ;(list.current!.children[next] as HTMLElement).focus()
  }
  return (
    <div>
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            type="button"
            key={tab.id}
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            class="tab"
            onClick={() => onChoose(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown.id}`} tabIndex={0}>
        {shown.render()}
      </div>
    </div>
  )
}

const margin = 8

export function revealIn(line: HTMLElement, item: Element): void {
  const frame = line.getBoundingClientRect()
  const { left, right } = item.getBoundingClientRect()
  if (left < frame.left) line.scrollLeft -= frame.left - left + margin
  else if (right > frame.right) line.scrollLeft += right - frame.right + margin
}
