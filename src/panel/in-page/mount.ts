import type { InPageGreenhouse } from '../data/in-page-transport.ts'
import type { drawPanel } from './drawer.ts'
import { keepText } from '../data/kept.ts'
import { createEdge } from './edge.ts'
import { createFrame } from './frame.ts'
import type { MountedPanel, MountOptions } from './options.ts'

/** Loads the code that draws the panel, from chunks of its own. */
type LoadPanel = () => Promise<{
  readonly drawPanel: typeof drawPanel
  readonly greenhouse: InPageGreenhouse
}>

/** The panels of the page, in the order of their buttons; one of them may be open. */
const mounts: { readonly place: number; close(): void }[] = []

/** Adds a button to the page, which opens a drawer with the panel. */
export function mount(load: LoadPanel, options: MountOptions): MountedPanel {
  const { world = 'default', position = 'bottom' } = options
  const wasOpen = keepText(`greenhouse.open:${world}`)
  const place = firstFree(mounts.map((one) => one.place))
  const { host, root, launcher, drawer, element, failure, raise } = createFrame(world, position, place)
  const edge = createEdge(drawer, position)
  drawer.prepend(edge)
  let loading: ReturnType<LoadPanel> | undefined
  let isOpen = false
  let end: (() => void) | undefined

  const show = async () => {
    try {
      const { drawPanel, greenhouse } = await (loading ??= load())
      // It may already be closed.
      if (isOpen && !end) end = drawPanel({ greenhouse, root, element, world, close: () => self.close() })
    } catch (error) {
      loading = undefined
      self.close()
      failure.textContent = `The panel could not be loaded: ${error instanceof Error ? error.message : String(error)}`
      failure.hidden = false
    }
  }
  const self = {
    place,
    open(takesFocus = true) {
      if (isOpen || !host.isConnected) return
      for (const other of mounts) if (other !== self) other.close()
      isOpen = true
      wasOpen.write('yes')
      failure.hidden = true
      launcher.hidden = true
      drawer.hidden = false
      raise()
      if (takesFocus) element.focus()
      void show()
    },
    close() {
      if (!isOpen) return
      isOpen = false
      wasOpen.write('')
      const hadFocus = root.activeElement !== null
      end?.()
      end = undefined
      drawer.hidden = true
      launcher.hidden = false
      if (hadFocus) launcher.focus()
    },
  }
  launcher.addEventListener('click', () => self.open())
  mounts.push(self)
  // While the page loads, the panel leaves the focus alone.
  if (options.open ?? wasOpen.read() === 'yes') self.open(false)

  return {
    open: () => self.open(),
    close: () => self.close(),
    unmount() {
      const remembered = wasOpen.read()
      self.close()
      // A page that unmounts and mounts the panel again, such as a hot reload, shows it as it was.
      wasOpen.write(remembered)
      host.remove()
      const at = mounts.indexOf(self)
      if (at >= 0) mounts.splice(at, 1)
    },
  }
}

function firstFree(taken: readonly number[]): number {
  let place = 0
  while (taken.includes(place)) place++
  return place
}
