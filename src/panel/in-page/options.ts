/** Where the drawer opens; its button stands in that corner. */
export type PanelPosition = 'bottom' | 'left' | 'right'

/** How the panel is put into a page. */
export interface MountOptions {
  /** The world that it shows first; `default` where it is absent. The tab remembers what you go to afterwards. */
  world?: string
  /** Whether it is open at once. By default it is as it was before the page was loaded anew, and closed at first. */
  open?: boolean
  /** Where the drawer opens: at the bottom unless you say otherwise. */
  position?: PanelPosition
  /** The base URL of Area A in this page: plants are at `<plants>/plants`. By default what `createHandlers` was told. */
  plants?: string
  /** The base URL of Area B in this page, with its version. By default what `createHandlers` was told. */
  apps?: string
}

/** The panel in a page. */
export interface MountedPanel {
  /** Opens the drawer; the drawer of another panel in the page closes. */
  open(): void
  /** Closes the drawer, and gives the focus to its button. It hears nothing until it opens again. */
  close(): void
  /** Takes the button and the drawer away. */
  unmount(): void
}
