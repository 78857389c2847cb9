import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button, Select, type SelectOption, toOption } from './controls.tsx'
import { useCommands } from './keys.ts'
import { useRoving } from './lists.tsx'
import { Icon, type IconName } from './marks.tsx'
import { toCountText, toPlural } from './words.ts'
import { usePanel } from '../data/panel.ts'
import type { RouteChange } from '../data/router.ts'
import { keepText } from '../data/surface.ts'

type ViewPart = {
  title: string
  to: RouteChange
  isShown: boolean
  count?: number
}

export interface ViewHeadProps {
  title: string
  of?: string
  parts?: readonly ViewPart[]
  search?: {
    label: string
    placeholder: string
  }
  children?: ComponentChildren
  count?: {
    shown: number | undefined
    all: number | undefined
    item: string
    note?: ComponentChildren
  }
  actions?: ComponentChildren
}

export function ViewHead({ title, of, parts, search, children, count, actions }: ViewHeadProps) {
  return (
    <header class="view-head row">
      <h1>
        {of !== undefined && <span class="hidden-text">{of}: </span>}
        {title}
      </h1>
      {parts && <Parts label={`Parts of ${of ?? title}`} parts={parts} />}
      {search && <SearchInput {...search} />}
      {children && <div class="filters row">{children}</div>}
      {(count || actions) && (
        <div class="top-end row">
          {count && (
            <span class="muted is-extra view-count">
              {toItemCount(count)}
              {count.note}
            </span>
          )}
          {actions}
        </div>
      )}
    </header>
  )
}

function Parts({ label, parts }: { label: string; parts: readonly ViewPart[] }) {
  return (
    <nav class="tab-list" aria-label={label}>
      {parts.map(({ title, to, isShown, count }) => (
        <Link key={title} class="tab" to={to} aria-current={isShown ? 'page' : undefined}>
          {title}
          {count !== undefined && <small> {count}</small>}
        </Link>
      ))}
    </nav>
  )
}

function toItemCount({ shown, all, item }: NonNullable<ViewHeadProps['count']>): string {
  if (shown === undefined || all === undefined) return ''
  if (shown === all) return toPlural(all, item)
  return `${toCountText(shown)} of ${toPlural(all, item)}`
}

interface DetailProps {
  label: string
  title: ComponentChildren
  titleKind?: string
  onClose: () => unknown
  children: ComponentChildren
}

const keptWidth = keepText('greenhouse.detail', '47', 'local')

/** How much of a list's view its detail takes, in percent. */
const width = signal(Number(keptWidth.read()) || 47)

function setWidth(percent: number) {
  width.value = Math.round(Math.max(25, Math.min(75, percent)))
  keptWidth.write(String(width.peek()))
}

/** The left edge of a detail, which a pointer or arrow keys move. */
function Edge() {
  const onPointerMove = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const split = event.currentTarget.closest('.split')?.getBoundingClientRect()
    if (split) setWidth(((split.right - event.clientX) / split.width) * 100)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const by = {
      ArrowLeft: 2,
      ArrowRight: -2,
    }[key]
    if (by !== undefined) setWidth(width.peek() + by)
  }
  return (
    <div
      class="split-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the detail"
      aria-valuenow={width.value}
      aria-valuemin={25}
      aria-valuemax={75}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  )
}

export function Detail({ label, title, titleKind, onClose, children }: DetailProps) {
  useCommands([{ keys: 'Escape', title: '', run: onClose }], [onClose])
  return (
    <aside class="split-detail" style={{ '--detail': `${width.value}%` }} aria-label={label}>
      <Edge />
      <header class="detail-head">
        <h2 class={titleKind}>{title}</h2>
        <Button icon="close" label="Close (Esc)" onClick={onClose} />
      </header>
      {children}
    </aside>
  )
}

function SearchInput({ label, placeholder }: NonNullable<ViewHeadProps['search']>) {
  const { router } = usePanel()
  const value = router.params['search'] ?? ''
  const search = (text: string) => router.setParam('search', text)
  return (
    <input
      class="input"
      type="search"
      data-filter
      aria-label={label}
      title="Key f"
      placeholder={placeholder}
      value={value}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => search(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (value === '') event.currentTarget.blur()
        else search('')
      }}
    />
  )
}

/** A select that filters a list. A value in the URL that no option has becomes an option. */
export function FilterSelect({
  param,
  label,
  options,
}: {
  param: string
  label: string
  options: readonly SelectOption[]
}) {
  const { router } = usePanel()
  const value = router.params[param] ?? ''
  const known = [{ value: '', title: `Any ${label.toLowerCase()}` }, ...options.map(toOption)]
  return (
    <Select
      label={label}
      value={value}
      options={known.some((one) => one.value === value) ? known : [...known, value]}
      onChange={(chosen) => router.setParam(param, chosen)}
    />
  )
}

/** A button that filters a list: by `value`, or only by whether it is pressed. */
export function FilterToggle({
  param,
  text,
  title,
  value = 'true',
}: {
  param: string
  text: string
  title?: string
  value?: string
}) {
  const { router } = usePanel()
  const isOn = router.params[param] !== undefined
  const press = () => router.setParam(param, isOn ? '' : value)
  return <Button text={text} title={title} pressed={isOn} onClick={press} />
}

type NavItem = {
  id: string
  title: string
  to: RouteChange
  note?: ComponentChildren
  icon?: IconName
}

export function NavList({
  label,
  items,
  chosen,
  kind = '',
}: {
  label: string
  items: readonly NavItem[]
  chosen: string | undefined
  kind?: string
}) {
  const { ref, ...roving } = useRoving<HTMLElement>('a', kind === 'side-bar')
  useEffect(() => {
    ref.current?.querySelector('[aria-current]')?.scrollIntoView({
      block: 'nearest',
      inline: 'nearest',
    })
    // On a narrow screen it is one line. The notes load later, and make it wider.
  }, [chosen, items.map(({ note }) => typeof note).join()])
  return (
    <nav class={`nav-list ${kind}`} aria-label={label} ref={ref} {...roving}>
      <ul>
        {items.map(({ id, title, to, note, icon }) => (
          <li key={id}>
            <Link to={to} class="nav-link line" aria-current={id === chosen ? 'page' : undefined}>
              {icon && <Icon name={icon} />}
              <span class="clip spacer">{title}</span>
              {note !== undefined && <small>{note}</small>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface LinkProps extends Pick<
  JSX.IntrinsicElements['a'],
  'class' | 'aria-label' | 'aria-current' | 'children'
> {
  to: RouteChange
  text?: string
}

export function Link({ to, text, children = text, ...attributes }: LinkProps) {
  return <a href={usePanel().router.href(to)} {...attributes} children={children} />
}

type Tab = {
  id: string
  title: string
  count?: number
  render: () => ComponentChildren
}

type TabsProps = {
  label: string
  tabs: readonly Tab[]
  /** The parameter of the URL that has the chosen tab, unless it is the first. */
  param: string
}

export function Tabs({ label, tabs, param }: TabsProps) {
  const [first] = tabs
  const chosen = usePanel().router.params[param]
  const shown = tabs.find(({ id }) => id === chosen) ?? first
  const parts = tabs.map((tab) => ({
    title: tab.title,
    to: { params: { [param]: tab === first ? undefined : tab.id } },
    isShown: tab === shown,
    count: tab.count,
  }))
  return (
    <div class="tabs">
      <Parts label={label} parts={parts} />
      <div class="tab-panel">{shown?.render()}</div>
    </div>
  )
}
