import { keepText } from '../data/kept.ts'
import type { PanelPosition } from './options.ts'

const step = 32

export function createEdge(drawer: HTMLElement, position: PanelPosition): HTMLElement {
  const isFlat = position === 'bottom'
  const kept = keepText(`greenhouse.size:${position}`)
  const edge = document.createElement('div')
  edge.className = 'edge'
  edge.tabIndex = 0
  edge.setAttribute('role', 'separator')
  edge.setAttribute('aria-label', 'Size of the panel')
  edge.setAttribute('aria-orientation', isFlat ? 'horizontal' : 'vertical')
  edge.setAttribute('aria-valuemin', '0')
  edge.setAttribute('aria-valuemax', '100')

  const whole = () => (isFlat ? innerHeight : innerWidth)
  const size = () => (isFlat ? drawer.offsetHeight : drawer.offsetWidth)
  const announce = (pixels: number) =>
    edge.setAttribute('aria-valuenow', String(Math.round((100 * Math.min(pixels, whole())) / Math.max(1, whole()))))
  const resize = (pixels: number) => {
    drawer.style.setProperty('--size-of-drawer', `${Math.round(pixels)}px`)
    kept.write(String(Math.round(pixels)))
    announce(size())
  }
  const before = Number(kept.read())
  if (before > 0) drawer.style.setProperty('--size-of-drawer', `${before}px`)
  announce(before || 0.56 * whole())

  edge.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
  })
  edge.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (!edge.hasPointerCapture(pointerId)) return
    resize(isFlat ? innerHeight - clientY : position === 'right' ? innerWidth - clientX : clientX)
  })
  edge.addEventListener('keydown', (event) => {
    const larger = isFlat ? 'ArrowUp' : position === 'right' ? 'ArrowLeft' : 'ArrowRight'
    const smaller = isFlat ? 'ArrowDown' : position === 'right' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== larger && event.key !== smaller) return
    event.preventDefault()
    resize(size() + (event.key === larger ? step : -step))
  })
  return edge
}
